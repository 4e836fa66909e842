import t from 'tap'
import { resources } from '../../../../src/cli/doctor/rights.ts'
import { build, openTestDatabase } from '../../../support/helper.ts'

const largestInt = 2_147_483_647

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
  t.same((await made('contracts/bulk/', { items: [{ folio: 'MAX-3', external_id: 'm-3', monto: '5' }], upsert: 'external_id' })).results[0], { ...bulk.results[0], monto: '5.00', monto_original: '5.00', por_estimar: '5.00', version: 2, updated_at: (await director.get(`contracts/${bulk.results[0].id}/`)).json().updated_at })
  t.equal((await director.send('DELETE', `contracts/${sub.id}/`)).statusCode, 204)
  t.same(await psql('select operation::text from changes where resource = $1 and record_id = $2 order by revision', ['contracts', sub.id]), [{ operation: 'insert' }, { operation: 'delete' }])
})
