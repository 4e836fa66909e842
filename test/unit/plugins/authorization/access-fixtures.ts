import { randomUUID } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { demoPassword } from '../../../../src/domain/demo/data.ts'
import { registered } from '../../../../src/domain/resources.ts'
import { newSecret } from '../../../../src/domain/webhooks/secrets.ts'
import { described, fileOf } from '../../../support/attaching.ts'
import type { DemoIds } from '../../../support/accounts.ts'
import type { TestServer } from '../../../support/helper.ts'
import { insertSample, sampleOf } from '../../../support/sample.ts'
import type { AccessRow, Whose } from './access-table.ts'

/** An address of a receiver that refuses connections. A company has one webhook of each address. */
const closed = (number: number) => `http://127.0.0.1:1/${number}`

type Body = Record<string, unknown>

/** Records and bodies for the requests of a resource. */
interface Fixture {
  /** Creates a record of that owner by SQL, in a state from which it can change to `to`. @returns its id */
  make: (whose: Whose, to?: string) => Promise<number>
  /** The body of a POST, PUT or PATCH that succeeds for a caller with the required level. */
  body: (method: AccessRow['method'], whose: Whose, id?: number, to?: string) => Promise<Body>
  /** The file of a record that is uploaded. */
  file?: (id: number) => Promise<Buffer>
}

/** The fixtures by resource. Every record and body is new, so that requests are independent. */
export function fixtures ({ app, psql }: TestServer, { customers, companies }: DemoIds): Record<string, Fixture> {
  let made = 0
  const files = new Map<string, Buffer>()
  const name = () => `Acceso ${++made}`
  const insert = async (text: string, values: unknown[]) => (await psql(`insert into ${text} returning id`, values))[0]?.['id'] as number
  const customer = (whose: Whose) => customers[whose === 'other customer' ? 'Grupo Otra' : 'Constructora Demo']
  const company = (whose: Whose) => companies[whose === 'other customer' ? 'Otra Uno' : whose === 'other company' ? 'Obra Sur' : 'Obra Norte']
  const user = async (whose: Whose) => await insert("users (email, password, customer_id, nivel_acceso) values ($1, '!', $2, $3)", [`acceso-${++made}@demo.example`, customer(whose), whose === 'own, of a higher level' ? 6 : null])

  const business = (table: string, field: string): Fixture => ({
    make: async whose => await insert(`${table} (company_id, ${field}) values ($1, $2)`, [company(whose), name()]),
    body: async (method, whose) => ({ [field]: name(), ...method === 'POST' ? { company: company(whose) } : {} })
  })
  const contract = async (whose: Whose) => await insert('contracts (company_id, folio, monto) values ($1, $2, 100)', [company(whose), name()])
  const authorized = async (whose: Whose) => await insert("estimates (company_id, contract_id, monto, estado) values ($1, $2, 10, 'autorizada')", [company(whose), await contract(whose)])
  const draft = async (whose: Whose) => await insert('estimates (company_id, contract_id, monto) values ($1, $2, 10)', [company(whose), await contract(whose)])
  const ofContract = (resource: typeof registered[number]): Fixture => ({
    make: async whose => await insertSample(psql, resource, await contract(whose), sampleOf(resource, name())),
    body: async (method, whose, id) => ({
      contract: method === 'POST' ? await contract(whose) : (await psql(`select contract_id from ${resource.name} where id = $1`, [id]))[0]?.['contract_id'],
      ...sampleOf(resource, name()),
      ...method === 'POST' ? { company: company(whose) } : {}
    })
  })
  return {
    ...Object.fromEntries(registered.map(resource => [resource.name, ofContract(resource)])),
    contracts: business('contracts', 'folio'),
    contrapartes: business('contrapartes', 'nombre'),
    conceptos: {
      make: async whose => await insert("conceptos (company_id, contract_id, clave, unidad, cantidad, precio_unitario) values ($1, $2, $3, 'm2', 1, 1)", [company(whose), await contract(whose), name()]),
      body: async (method, whose, id) => ({
        contract: method === 'POST' ? await contract(whose) : (await psql('select contract_id from conceptos where id = $1', [id]))[0]?.['contract_id'],
        clave: name(),
        unidad: 'm2',
        cantidad: '2',
        precio_unitario: '3',
        ...method === 'POST' ? { company: company(whose) } : {}
      })
    },
    generadores: {
      async make (whose) {
        const of = await contract(whose)
        const concept = await insert("conceptos (company_id, contract_id, clave, unidad, cantidad, precio_unitario) values ($1, $2, $3, 'm2', 1, 1)", [company(whose), of, name()])
        const estimate = await insert('estimates (company_id, contract_id) values ($1, $2)', [company(whose), of])
        return await insert('generadores (company_id, estimate_id, concepto_id, cantidad) values ($1, $2, $3, 1)', [company(whose), estimate, concept])
      },
      async body (method, whose, id) {
        const [known] = await psql('select estimate_id as estimate, concepto_id as concepto from generadores where id = $1', [id ?? await this.make(whose)])
        return { ...known, cantidad: String(++made), ...method === 'POST' ? { company: company(whose) } : {} }
      }
    },
    estimates: {
      make: async (whose, to) => await insert('estimates (company_id, contract_id, monto, estado) values ($1, $2, 10, $3)', [company(whose), await contract(whose), to === undefined ? 'borrador' : to === 'pagada' ? 'autorizada' : 'enviada']),
      body: async (method, whose, id, to) => {
        if (to !== undefined) return { estado: to, motivo_rechazo: 'Faltan generadores.' }
        if (method === 'POST') return { contract: await contract(whose), company: company(whose) }
        return { ...(await psql('select contract_id as contract from estimates where id = $1', [id]))[0], descripcion: name() }
      }
    },
    convenios: {
      make: async (whose, to) => await insert('convenios (company_id, contract_id, monto, estado, fecha_autorizacion) values ($1, $2, 10, $3, $4)',
        [company(whose), await contract(whose), to === undefined ? 'borrador' : to === 'firmado' ? 'autorizado' : 'enviado', '2026-04-20']),
      body: async (method, whose, id, to) => {
        if (to !== undefined) return { estado: to, motivo_rechazo: 'Falta el dictamen.', fecha_autorizacion: '2026-04-20', fecha_firma: '2026-05-04' }
        if (method === 'POST') return { contract: await contract(whose), company: company(whose) }
        return { ...(await psql('select contract_id as contract from convenios where id = $1', [id]))[0], descripcion: name() }
      }
    },
    movimientos: {
      make: async whose => await insert("movimientos (company_id, estimate_id, tipo, motivo, antes_iva, importe) values ($1, $2, 'pena', 'Atraso', false, 1)", [company(whose), await draft(whose)]),
      body: async (method, whose, id) => ({
        ...method === 'POST' ? { estimate: await draft(whose), company: company(whose) } : (await psql('select estimate_id as estimate from movimientos where id = $1', [id]))[0],
        tipo: 'pena',
        motivo: name(),
        antes_iva: false,
        importe: '2.00'
      })
    },
    pagos: {
      make: async whose => await insert("pagos (company_id, estimate_id, importe, fecha) values ($1, $2, 1, '2026-04-15')", [company(whose), await authorized(whose)]),
      body: async (method, whose, id) => method === 'POST'
        ? { estimate: await authorized(whose), importe: '1.00', fecha: '2026-04-15', company: company(whose) }
        : { ...(await psql('select estimate_id as estimate, importe, fecha from pagos where id = $1', [id]))[0], referencia: name() }
    },
    programa: {
      make: async whose => await insert("programa (company_id, contract_id, periodo_inicio, periodo_fin, importe) values ($1, $2, '2026-03-01', '2026-03-31', 1)", [company(whose), await contract(whose)]),
      body: async (method, whose, id) => ({
        contract: method === 'POST' ? await contract(whose) : (await psql('select contract_id from programa where id = $1', [id]))[0]?.['contract_id'],
        periodo_inicio: '2026-03-01',
        periodo_fin: '2026-03-31',
        importe: String(++made),
        ...method === 'POST' ? { company: company(whose) } : {}
      })
    },
    adjuntos: {
      async make (whose) {
        const file = fileOf('image/jpeg', name())
        const { tipo, bytes, sha256 } = described(file, 'image/jpeg')
        const owner = company(whose)
        const temporary = await app.files.store.temporary()
        writeFileSync(temporary, file)
        await app.files.store.add(temporary, { company: owner, sha256 })
        await psql('insert into stored_files (company_id, sha256, bytes, tipo) values ($1, $2, $3, $4)', [owner, sha256, bytes, tipo])
        files.set(sha256, file)
        return await insert('adjuntos (company_id, contract_id, nombre, tipo, bytes, sha256) values ($1, $2, $3, $4, $5, $6)', [owner, await contract(whose), name(), tipo, bytes, sha256])
      },
      async body (method, whose, id) {
        if (method === 'POST') return { contract: await contract(whose), ...described(fileOf('image/jpeg', name()), 'image/jpeg'), company: company(whose) }
        return { ...(await psql('select contract_id as contract, tipo, bytes, sha256 from adjuntos where id = $1', [id]))[0], nombre: name() }
      },
      file: async id => files.get((await psql('select sha256 from adjuntos where id = $1', [id]))[0]?.['sha256']) as Buffer
    },
    mutations: {
      make: async () => { throw new Error('mutations/ has no id in its path') },
      body: async () => ({ device: randomUUID(), mutations: [{ id: 1, op: 'create', resource: 'contracts', body: { folio: name() } }] })
    },
    webhooks: {
      async make (whose) {
        const secrets = app.webhooks.secrets?.seal([{ secret: newSecret(), until: null }])
        const id = await insert('webhooks (company_id, url, secrets) values ($1, $2, $3)', [company(whose), closed(++made), secrets])
        // A failed delivery, so that skip/ has one to give up.
        await psql("update webhook_cursors set skip_to = jsonb_build_object('revision', revision, 'position', position) where webhook_id = $1", [id])
        return id
      },
      body: async (method, whose, id) => method === 'POST' && id !== undefined ? { since: 0 } : { url: closed(++made), ...method === 'POST' ? { company: company(whose) } : {} }
    },
    customers: {
      make: async whose => customer(whose),
      body: async () => ({ nombre: name() })
    },
    companies: {
      make: async whose => await insert('companies (nombre, customer_id) values ($1, $2)', [name(), customer(whose)]),
      body: async (method, whose) => ({ nombre: name(), ...method === 'POST' ? { customer: customer(whose) } : {} })
    },
    users: {
      make: user,
      body: async (method, whose) => ({ email: `acceso-${++made}@demo.example`, ...method === 'POST' ? { password: demoPassword, customer: customer(whose) } : {} })
    },
    memberships: {
      make: async whose => await insert('memberships (user_id, company_id, nivel_acceso) values ($1, $2, 1)', [await user(whose), company(whose)]),
      body: async (method, whose, id) => method === 'POST'
        ? { user: await user(whose), company: company(whose), nivel_acceso: 1 }
        : { ...(await psql('select user_id as "user", company_id as company from memberships where id = $1', [id]))[0], nivel_acceso: 2 }
    },
    me: {
      make: async () => { throw new Error('me/ has no id in its path') },
      body: async method => method === 'POST' ? { current: demoPassword, new: demoPassword } : {}
    }
  }
}
