import { randomUUID } from 'node:crypto'
import { demoPassword } from '../../../../src/domain/demo/data.ts'
import { newSecret } from '../../../../src/domain/webhooks/secrets.ts'
import type { DemoIds } from '../../../support/accounts.ts'
import type { TestServer } from '../../../support/helper.ts'
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
}

/** The fixtures by resource. Every record and body is new, so that requests are independent. */
export function fixtures ({ app, psql }: TestServer, { customers, companies }: DemoIds): Record<string, Fixture> {
  let made = 0
  const name = () => `Acceso ${++made}`
  const insert = async (text: string, values: unknown[]) => (await psql(`insert into ${text} returning id`, values))[0]?.['id'] as number
  const customer = (whose: Whose) => customers[whose === 'other customer' ? 'Grupo Otra' : 'Constructora Demo'] as number
  const company = (whose: Whose) => companies[whose === 'other customer' ? 'Otra Uno' : whose === 'other company' ? 'Obra Sur' : 'Obra Norte'] as number
  const user = async (whose: Whose) => await insert("users (email, password, customer_id, nivel_acceso) values ($1, '!', $2, $3)", [`acceso-${++made}@demo.example`, customer(whose), whose === 'own, of a higher level' ? 6 : null])

  const business = (table: string, field: string): Fixture => ({
    make: async whose => await insert(`${table} (company_id, ${field}) values ($1, $2)`, [company(whose), name()]),
    body: async (method, whose) => ({ [field]: name(), ...method === 'POST' ? { company: company(whose) } : {} })
  })
  const contract = async (whose: Whose) => await insert('contracts (company_id, folio, monto) values ($1, $2, 100)', [company(whose), name()])
  return {
    contracts: business('contracts', 'folio'),
    contrapartes: business('contrapartes', 'nombre'),
    estimates: {
      make: async (whose, to) => await insert('estimates (company_id, contract_id, monto, estado) values ($1, $2, 10, $3)', [company(whose), await contract(whose), to === undefined ? 'borrador' : to === 'pagada' ? 'autorizada' : 'enviada']),
      body: async (method, whose, id, to) => {
        if (to !== undefined) return { estado: to, motivo_rechazo: 'Faltan generadores.' }
        if (method === 'POST') return { contract: await contract(whose), company: company(whose) }
        return { ...(await psql('select contract_id as contract from estimates where id = $1', [id]))[0], descripcion: name() }
      }
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
