import t from 'tap'
import { contracts } from '../../../../src/domain/contracts/resource.ts'
import { migrate } from '../../../../src/server/migrate.ts'
import { readTurn } from '../../../../src/database/turns/read-turn.ts'
import { resources } from '../../../../src/cli/doctor/rights.ts'
import { readPage } from '../../../../src/resources/reading/page.ts'
import { asCompany } from '../../../support/as-company.ts'
import { openEmptyDatabase } from '../../../support/empty-database.ts'
import { build, openTestDatabase } from '../../../support/helper.ts'

const largestInt = 2_147_483_647

/** Data from before the wider ids: a tree with a counterparty, an estimate in each relevant state. */
const filling = [
  "insert into customers (nombre) values ('Constructora Vieja')",
  "insert into companies (nombre, customer_id) values ('Obra Vieja', 1), ('Obra Ajena', 1)",
  "insert into contrapartes (company_id, nombre) select 1 + n % 2, 'Concretos ' || n from generate_series(1, 40) n",
  "insert into contracts (company_id, folio, monto, anticipo_porcentaje, contraparte_id) select 1 + n % 2, 'V-' || n, 1000, 10, n from generate_series(1, 40) n",
  'update contracts set parent_id = id - 2 where id > 20',
  "insert into estimates (company_id, contract_id, monto, periodo_inicio, periodo_fin, estado) values (1, 2, 100, '2026-01-01', '2026-01-31', 'autorizada'), (1, 2, 50, '2026-02-01', '2026-02-28', 'borrador')",
  "delete from contracts where folio = 'V-39'"
]

const held = `
  select (select json_agg(json_build_array(id, company_id, nombre, updated_at, version) order by id) from contrapartes)::text as contrapartes,
    (select json_agg(json_build_array(id, company_id, folio, parent_id, contraparte_id, updated_at, version) order by id) from contracts)::text as contracts,
    (select json_agg(json_build_array(id, contract_id, numero, amortizacion, neto, periodo_inicio, estado, updated_at, version) order by id) from estimates)::text as estimates,
    (select json_agg(json_build_array(company_id, revision, resource, record_id, operation) order by 1, 2, 3, 4) from (select * from changes order by 1, 2, 3, 4) c)::text as changes,
    (select json_agg(to_jsonb(r) - 'stamp' - 'webhooks' order by company_id) from company_revisions r)::text as revisions`

for (const state of ['5-estimates', '7-search', '10-known-addresses']) {
  t.test(`a database at ${state} migrates with its rows, and the service works on them`, async (t) => {
    const { orm, open } = await openEmptyDatabase(t)
    const run = async (text: string) => await orm.em.execute(text)
    await orm.migrator.up({ to: state })
    for (const text of filling) await run(text)
    const before = await run(held)
    await migrate(orm)
    t.same(await run(held), before)

    for (const [refused, reason] of [
      ['update contracts set parent_id = 40 where id = 20', /would be under itself/],
      ['insert into contracts (id, company_id, folio, parent_id) values (900, 1, $$C-1$$, 901), (901, 1, $$C-2$$, 900)', /would be under itself/],
      ['update contracts set contraparte_id = 1 where id = 2', /contracts_contraparte_foreign/],
      ['update contracts set parent_id = 1 where id = 2', /contracts_parent_foreign/],
      ['insert into estimates (company_id, contract_id) values (1, 1)', /estimates_contract_foreign/],
      ["insert into estimates (company_id, contract_id, periodo_inicio, periodo_fin) values (1, 2, '2026-02-28', '2026-03-31')", /estimates_periodo_exclusion/],
      ['update contracts set monto = 99 where id = 2', /more authorized than that/],
      ["update estimates set monto = 901, estado = 'autorizada' where id = 2", /more would be authorized/]
    ] as const) await t.rejects(run(refused), reason, refused)
    t.same(await run(held), before)

    const database = await open('migrate')
    const read = asCompany(readTurn(database.sql), 1)
    const found = async (search: string) => (await readPage(read, contracts, { search, ordering: ['id'] })).results.map(row => row['folio'])
    t.same(await found('v-38'), ['V-38'])
    t.same(await found('concretos 38'), ['V-38'])
    t.same(await found('v-37'), [], 'nothing of another company')
    t.same(await database.sql.within([1], 'read only', [{ text: "select search.candidates('contracts', 1, array['v-38'], 100) as ids, search.candidates('contracts', 2, array['v-37'], 100) as others", values: [] }]), [[{ ids: [38], others: [] }]], 'through the index')
    if (database.kind === 'postgres') await database.close()
  })
}

t.test('every id of a resource, and every column that references one, is a bigint', async (t) => {
  const { psql } = await openTestDatabase(t)
  const names = resources.map(name => `'${name}'::regclass`).join()
  t.same(await psql(`
    select a.attrelid::regclass::text || '.' || a.attname as column from pg_attribute a
    where a.atttypid <> 'bigint'::regtype and (
      (a.attrelid in (${names}) and a.attname = 'id') or (a.attrelid = 'changes'::regclass and a.attname = 'record_id')
      or exists (select from pg_constraint k where k.contype = 'f' and k.confrelid in (${names}) and k.conrelid = a.attrelid and a.attnum = any (k.conkey) and a.attname <> 'company_id'))`), [])
  t.same(await psql(`select sequencename::text as name from pg_sequences where data_type <> 'bigint'::regtype and sequencename in (${resources.map(name => `'${name}_id_seq'`).join()})`), [])
})

t.test('ids beyond the largest int work like smaller ones', async (t) => {
  const { as, psql } = await build(t)
  for (const name of resources) await psql(`select setval('${name}_id_seq', ${largestInt})`)
  const director = await as('director@demo.example')
  const made = async (path: string, body: object) => {
    const response = await director.post(path, body)
    t.equal(response.statusCode, 201, response.body)
    return response.json()
  }

  const party = await made('contrapartes/', { nombre: 'Grúas del Último Número' })
  const main = await made('contracts/', { folio: 'MAX-1', contraparte: party.id, monto: '1000', anticipo_porcentaje: '10' })
  t.same([party.id, main.id, main.contraparte_id], [largestInt + 1, largestInt + 1, largestInt + 1])
  const sub = await made('contracts/', { folio: 'MAX-2', parent: main.id, contraparte: party.nombre })
  const estimate = await made('estimates/', { contract: main.id, monto: '100', periodo_inicio: '2026-01-01', periodo_fin: '2026-01-31' })
  t.match(estimate, { contract: main.id, amortizacion: '10.00', numero: 1 })

  const ids = async (query: string) => (await director.get(query)).json().results.map(({ id }: { id: number }) => id)
  t.same(await ids(`contracts/?contraparte=${party.id}`), [main.id, sub.id])
  t.same(await ids(`contracts/?parent=${main.id}`), [sub.id])
  t.same(await ids(`estimates/?contract=${main.id}`), [estimate.id])
  t.same(await ids('contracts/?search=ultimo+numero'), [main.id, sub.id])
  t.same(await ids('contrapartes/?search=gruas'), [party.id])
  t.same(await ids('estimates/?search=max-1'), [estimate.id])
  for (const [path, ordering] of [['contracts', '-id'], ['estimates', '-contract']]) {
    const first = (await director.get(`${path}/?ordering=${ordering}&page_size=1`)).json()
    const next = new URL(first.next)
    t.match((await director.get(`${path}/${next.search}`)).json(), { count: first.count, results: [{ id: path === 'contracts' ? main.id : Number }] })
  }
  t.match((await director.get(`contracts/${main.id}/`)).json(), { hijos: 1, monto_subcontratado: '0.00' })
  t.match((await director.get(`contracts/${main.id}/tree/`)).json(), { id: main.id, children: [{ id: sub.id }] })
  t.same((await director.get(`contracts/${sub.id}/ancestors/`)).json().map(({ id }: { id: number }) => id), [main.id])

  t.same((await director.send('PATCH', `contracts/${main.id}/`, { parent: sub.id })).json().errors, { parent: ['A contract may not be moved under itself or one of its subcontracts.'] })
  t.same((await director.post('estimates/', { contract: main.id, periodo_inicio: '2026-01-31', periodo_fin: '2026-02-28' })).json().errors, { periodo_inicio: ['The period overlaps the period of another estimate of the contract.'] })
  for (const estado of ['enviada', 'autorizada']) t.equal((await director.send('PATCH', `estimates/${estimate.id}/`, { estado })).json().estado, estado)
  t.equal((await director.send('PATCH', `contracts/${main.id}/`, { monto: '99.99' })).statusCode, 400)
  t.equal((await director.send('DELETE', `contracts/${main.id}/`)).json().code, 'protected')
  const bulk = await made('contracts/bulk/', { items: [{ folio: 'MAX-3', external_id: 'm-3', parent: main.id }, { folio: 'MAX-4', external_id: 'm-4' }] })
  t.same((await made('contracts/bulk/', { items: [{ folio: 'MAX-3', external_id: 'm-3', monto: '5' }], upsert: 'external_id' })).results[0], { ...bulk.results[0], monto: '5.00', por_estimar: '5.00', version: 2, updated_at: (await director.get(`contracts/${bulk.results[0].id}/`)).json().updated_at })
  t.equal((await director.send('DELETE', `contracts/${sub.id}/`)).statusCode, 204)
  t.same(await psql('select operation::text from changes where resource = $1 and record_id = $2 order by revision', ['contracts', sub.id]), [{ operation: 'insert' }, { operation: 'delete' }])
})
