import { registered } from '../../../src/domain/resources.ts'
import { historyKeys } from '../../../src/domain/history/statement.ts'
import { demoIds } from '../../support/accounts.ts'
import type { TestServer } from '../../support/helper.ts'
import { insertSample, sampleOf } from '../../support/sample.ts'
import { reserved, type Victim } from '../walls/victim.ts'
import { identifying, type Loot } from './tenants.ts'
import { cursorAfter } from '../../../src/resources/reading/page.ts'

const nobody = 2_000_000_000
const highest = 1_900_000_000

/** Values of the other customer's records, and the matching absent ones, for attacks by a Director and a Corporativo of the demo's first customer. */
export async function gather (server: TestServer, victim: Victim): Promise<Loot> {
  const { as, psql } = server
  const { customers, companies, users } = await demoIds(server)
  const owner = await as('director@otra.example')
  for (const [resource, body] of [['contracts', { folio: 'SECRETO-2' }], ['contrapartes', { nombre: 'SECRETO-2' }]] as const) await owner.post(`${resource}/`, body, { 'idempotency-key': `theirs-${resource}-POST-${resource}/` })
  const { etag } = (await owner.get('contracts/')).headers
  // Higher than all other ids, so that no record of the attacker lies between it and the absent id.
  await psql("insert into contracts (id, company_id, folio) overriding system value select $1, id, 'SECRETO-3' from companies where nombre = 'Otra Uno'", [highest])
  const theirFeed: string = (await owner.get('changes/')).json().cursor
  const noFeed = theirFeed.split('.').with(1, nobody.toString(36)).join('.')
  const cursor = (id: number) => Buffer.from(JSON.stringify(['id@2.20', id])).toString('base64url')
  const [change] = await psql("select id, to_json(at) #>> '{}' as at from history where resource = 'contracts' and record_id = $1", [highest])
  const historyCursor = (id: unknown) => cursorAfter({ at: change?.['at'], id }, historyKeys)
  const members = await psql("insert into users (email, password, customer_id) select 'miembro-' || n || '@demo.example', '!', $1 from generate_series(1, 1000) n returning id", [customers['Constructora Demo']])
  const one = async (text: string) => (await psql(text))[0]?.['id'] as number
  const membership = await one(`select id from memberships where company_id = ${companies['Otra Uno']}`)
  const own = {
    contracts: await one('insert into contracts (company_id, folio, monto) select id, \'ATAQUE-0\', 100 from companies where nombre = \'Obra Norte\' returning id'),
    contrapartes: await one("insert into contrapartes (company_id, nombre) select id, 'ATAQUE-0' from companies where nombre = 'Obra Norte' returning id"),
    companies: companies['Obra Norte'],
    customers: customers['Constructora Demo'],
    users: users['auxiliar@demo.example'],
    memberships: await one(`select id from memberships where user_id = ${users['auxiliar@demo.example']}`)
  }
  const webhook = async (company: string) => await one(`insert into webhooks (company_id, url, secrets) select id, 'https://secreto.${company.replace(' ', '')}.example/', '' from companies where nombre = '${company}' returning id`)
  const [ownWebhook, theirWebhook] = [await webhook('Obra Norte'), await webhook('Otra Uno')]
  await psql('update webhooks set external_id = $1 where id = $2', [victim.external_id, theirWebhook])
  const estimate = await one(`insert into estimates (company_id, contract_id) select company_id, id from contracts where id = ${own.contracts} returning id`)
  const convenio = await one(`insert into convenios (company_id, contract_id) select company_id, id from contracts where id = ${own.contracts} returning id`)
  const concepto = await one(`insert into conceptos (company_id, contract_id, clave, unidad, cantidad, precio_unitario) select company_id, id, 'ATAQUE', 'lote', 1, 100 from contracts where id = ${own.contracts} returning id`)
  const generador = await one(`insert into generadores (company_id, estimate_id, concepto_id, cantidad) select company_id, id, ${concepto}, 0.1 from estimates where id = ${estimate} returning id`)
  const movimiento = await one(`insert into movimientos (company_id, estimate_id, tipo, motivo, antes_iva, importe) select company_id, id, 'pena', 'ATAQUE', false, 0.01 from estimates where id = ${estimate} returning id`)
  // Of another contract, whose catalogue no attack changes.
  const billed = await one("insert into contracts (company_id, folio, monto) select id, 'ATAQUE-PAGOS', 100 from companies where nombre = 'Obra Norte' returning id")
  const paid = await one(`insert into estimates (company_id, contract_id, monto, estado) select company_id, id, 10, 'autorizada' from contracts where id = ${billed} returning id`)
  const pago = await one(`insert into pagos (company_id, estimate_id, importe, fecha) select company_id, id, 0.01, '2026-03-10' from estimates where id = ${paid} returning id`)
  const programa = await one(`insert into programa (company_id, contract_id, periodo_inicio, periodo_fin, importe) select company_id, id, '2026-03-01', '2026-03-31', 0.01 from contracts where id = ${own.contracts} returning id`)
  const adjunto = await one(`insert into adjuntos (company_id, contract_id, nombre, tipo, bytes, sha256) select company_id, id, 'ATAQUE', 'image/jpeg', 200, repeat('ab', 32) from contracts where id = ${own.contracts} returning id`)
  // Those whose records follow from the declaration.
  const others = registered.filter(({ name }) => victim.others[name] !== undefined)
  const ownOthers: Record<string, number> = {}
  for (const resource of others) ownOthers[resource.name] = await insertSample(psql, resource, own.contracts, sampleOf(resource, 'ATAQUE'))
  const pair = (theirs: unknown) => ({ theirs, absent: nobody })
  const named = (theirs: string, absent: string) => ({ theirs, absent })
  const business = { external_id: named(victim.external_id, 'erp-ninguno'), search: named('reservada', 'inexistente') }
  const bodies: Record<string, (number: number) => Record<string, unknown>> = {
    ...Object.fromEntries(others.map(resource => [resource.name, (number: number) => ({ contract: own.contracts, ...sampleOf(resource, `ATAQUE-${number}`) })])),
    contracts: number => ({ folio: `ATAQUE-${number}` }),
    contrapartes: number => ({ nombre: `ATAQUE-${number}` }),
    estimates: () => ({ contract: own.contracts }),
    convenios: () => ({ contract: own.contracts }),
    conceptos: number => ({ contract: own.contracts, clave: `ATAQUE-${number}`, unidad: 'lote', cantidad: '0', precio_unitario: '1' }),
    generadores: () => ({ estimate, concepto, cantidad: '0' }),
    movimientos: () => ({ estimate, tipo: 'pena', motivo: 'ATAQUE', antes_iva: false, importe: '0.01' }),
    pagos: () => ({ estimate: paid, importe: '0.01', fecha: '2026-03-10' }),
    programa: () => ({ contract: own.contracts, periodo_inicio: '2026-03-01', periodo_fin: '2026-03-31', importe: '0.01' }),
    adjuntos: () => ({ contract: own.contracts, nombre: 'ATAQUE', tipo: 'image/jpeg', bytes: 200, sha256: 'ab'.repeat(32) }),
    webhooks: number => ({ url: `https://ataque-${number}.example.test/` }),
    companies: number => ({ nombre: `ATAQUE-${number}` }),
    customers: number => ({ nombre: `ATAQUE-${number}` }),
    mutations: number => ({ device: '5b0e7a1c-6f0e-4f5a-9d3a-7d0a5f6f2b11', mutations: [{ id: number, op: 'delete', resource: 'contracts', record: nobody }] }),
    users: number => ({ email: `ataque-${number}@demo.example`, password: 'demo-obra-1' }),
    memberships: number => ({ user: members[number % 1000]?.['id'], company: companies['Obra Sur'], nivel_acceso: 1 })
  }
  return {
    ids: { ...Object.fromEntries(others.map(({ name }) => [name, pair(victim.others[name])])), contracts: pair(victim.id), contrapartes: pair(victim.contraparte), estimates: pair(victim.estimate), convenios: pair(victim.convenio), conceptos: pair(victim.concepto), generadores: pair(victim.generador), movimientos: pair(victim.movimiento), pagos: pair(victim.pago), programa: pair(victim.programa), adjuntos: pair(victim.adjunto), companies: pair(companies['Otra Uno']), customers: pair(customers['Grupo Otra']), users: pair(users['director@otra.example']), memberships: pair(membership), webhooks: pair(theirWebhook) },
    names: {
      ...Object.fromEntries(others.map(resource => [resource.name, { ...business, ...Object.fromEntries(identifying(resource).map(field => [field, reserved])) }])),
      contracts: { ...business, folio: named(victim.folio, 'NINGUNO-1'), contraparte: named(victim.nombre, 'Nadie, S.A.'), contraparte_nombre: named(victim.nombre, 'Nadie, S.A.') },
      contrapartes: { ...business, nombre: named(victim.nombre, 'Nadie, S.A.'), rfc: named('GODE561231GR8', 'EKU9003173C9'), email: named('secreto@otra.example', 'nadie@otra.example'), search: named('oculta', 'inexistente') },
      estimates: { ...business, contraparte: named(victim.nombre, 'Nadie, S.A.'), contraparte_nombre: named(victim.nombre, 'Nadie, S.A.'), search: named('secreto', 'inexistente'), factura_uuid: named('11111111-1111-4111-8111-111111111111', '22222222-2222-4222-8222-222222222222') },
      convenios: { ...business, folio: named('SECRETO-CM-1', 'NINGUNO-CM-1') },
      conceptos: { ...business, clave: named('SECRETO-01', 'NINGUNA-01'), capitulo: named('Reservado', 'Ninguno') },
      generadores: business,
      movimientos: business,
      pagos: { ...business, complemento_uuid: named('33333333-3333-4333-8333-333333333333', '44444444-4444-4444-8444-444444444444') },
      programa: { external_id: business.external_id },
      adjuntos: {
        ...business,
        nombre: named('reservada.jpg', 'ninguna.jpg'),
        sha256: named('5e'.repeat(32), '6e'.repeat(32)),
        cfdi_uuid: named('55555555-5555-4555-8555-555555555555', '66666666-6666-4666-8666-666666666666')
      },
      companies: { nombre: named('Otra Uno', 'Nadie Uno'), search: named('otra', 'inexistente') },
      customers: { nombre: named('Grupo Otra', 'Grupo Nadie'), search: named('otra', 'inexistente') },
      users: { nombre: named('Óscar Otra', 'Nadie Nada'), email: named('director@otra.example', 'director@nadie.example'), search: named('oscar', 'inexistente') },
      memberships: { search: named('oscar', 'inexistente') },
      webhooks: { external_id: named(victim.external_id, 'erp-ninguno'), search: named('otrauno', 'inexistente') },
      changes: { cursor: named(theirFeed, noFeed) },
      mutations: { cursor: named(theirFeed, noFeed) },
      history: { record: pair(highest), cursor: named(historyCursor(change?.['id']), historyCursor(nobody)) },
      '*': { cursor: named(cursor(highest), cursor(nobody)), 'If-None-Match': named(etag as string, '"1.1.x"') }
    },
    own: { ...ownOthers, ...own, estimates: estimate, convenios: convenio, conceptos: concepto, generadores: generador, movimientos: movimiento, pagos: pago, programa, adjuntos: adjunto, webhooks: ownWebhook },
    body: (resource, number) => bodies[resource](number)
  }
}
