import t, { type Test } from 'tap'
import { build, type Client } from '../../../../../support/helper.ts'

const english = ['A tree of contracts may have at most 50 levels. Choose a contract of a higher level, or first move subcontracts out of this tree.']
const spanish = ['Un árbol de contratos puede tener como máximo 50 niveles. Elija un contrato de un nivel superior o saque antes subcontratos de este árbol.']
const refusal = { detail: 'Invalid input.', errors: { parent: english } }

/** Levels as `contract_levels` should have them, from the contracts themselves. */
const wrongLevels = `
  with recursive way as (
    select id, parent_id, id as top, 1 as n from contracts
    union all
    select p.id, p.parent_id, way.top, way.n + 1 from way join contracts p on p.id = way.parent_id where way.n < 51),
  expected as (select company_id, c.id as contract_id, c.parent_id, max(n) as levels from way join contracts c on c.id = way.id group by 1, 2, 3 having max(n) > 1)
  select * from expected e full join contract_levels l using (company_id, contract_id) where (e.parent_id, e.levels) is distinct from (l.parent_id, l.levels::int)`

t.test('a tree of contracts has at most 50 levels', async (t) => {
  const { as, psql } = await build(t)
  const director = await as('director@demo.example')
  const spanishReader = { 'accept-language': 'es' }
  const { company } = (await director.get('me/')).json()
  let folios = 0
  const id = async (client: Client, parent: number | null = null) => (await client.post('contracts/', { folio: `N-${++folios}`, parent })).json().id as number
  /** A chain, made in the database. @returns ids from the root down */
  const chain = async (levels: number): Promise<number[]> => {
    const first = (await psql(`
      insert into contracts (id, company_id, folio, parent_id)
      select 1000000 * $2::int + n, $1, 'C-' || $2::int || '-' || n, case when n > 1 then 1000000 * $2::int + n - 1 end from generate_series(1, $3::int) n returning id`, [company, ++folios, levels]))
    return first.map(row => row['id'] as number).sort((a, b) => a - b)
  }
  const move = async (contract: number | undefined, parent: number | null | undefined, headers = {}) => await director.send('PATCH', `contracts/${contract}/`, { parent }, headers)
  const levelsAreRight = async (t: Test) => t.strictSame(await psql(wrongLevels), [])
  const ids = await chain(50)

  await t.test('a contract below level 50 is refused, alone, with a key, in a bulk and as a mutation', async (t) => {
    for (const headers of [{}, { 'idempotency-key': 'hondo' }] as Array<Record<string, string>>) {
      const answer = await director.post('contracts/', { folio: 'HONDO', parent: ids[49] }, headers)
      t.match([answer.statusCode, answer.json()], [400, refusal])
    }
    t.strictSame((await director.post('contracts/', { folio: 'HONDO', parent: ids[49] }, spanishReader)).json().errors, { parent: spanish })
    const bulk = await director.post('contracts/bulk/', { items: [{ folio: 'H-1', parent: ids[48] }, { folio: 'H-2', parent: ids[49] }] })
    t.match([bulk.statusCode, bulk.json().errors], [400, { 'items.1.parent': english }])
    const answer = await director.post('mutations/', {
      device: '0d0e7a1c-6f0e-4f5a-9d3a-7d0a5f6f2b11',
      mutations: [
        { id: 1, op: 'create', resource: 'contracts', ref: 'c1', body: { folio: 'M-1', parent: ids[48] } },
        { id: 2, op: 'create', resource: 'contracts', body: { folio: 'M-2', parent: { ref: 'c1' } } }
      ]
    })
    t.match(answer.json().results, [{ id: 1, status: 201 }, { id: 2, status: 400, errors: { parent: english } }])
    t.equal((await director.post('contracts/', { folio: 'CABE', parent: ids[48] })).statusCode, 201)
    await levelsAreRight(t)
  })

  await t.test('a subtree moves only if its lowest contract stays within 50 levels', async (t) => {
    const [top, , low] = await chain(3)
    const refused = await move(top, ids[47])
    t.match([refused.statusCode, refused.json()], [400, refusal])
    t.strictSame((await move(top, ids[47], spanishReader)).json().errors, { parent: spanish })
    t.equal((await move(top, ids[46])).statusCode, 200)
    await levelsAreRight(t)
    t.equal((await director.post('contracts/', { folio: 'BAJO', parent: low })).statusCode, 400)
    t.equal((await move(low, null)).statusCode, 200)
    t.equal((await move(top, ids[47])).statusCode, 200, 'the lowest contract has left')
    t.equal((await move(low, ids[45])).statusCode, 200)
    await levelsAreRight(t)
    const bulk = await director.post('contracts/bulk/', { upsert: 'external_id', items: [{ external_id: 'a', folio: 'EXT-A' }, { external_id: 'b', folio: 'EXT-B' }] })
    const [a, b] = bulk.json().results.map(({ id }: { id: number }) => id)
    const moved = await director.post('contracts/bulk/', { upsert: 'external_id', items: [{ external_id: 'b', folio: 'EXT-B', parent: a }, { external_id: 'a', folio: 'EXT-A', parent: ids[48] }] })
    t.match([moved.statusCode, moved.json().errors], [400, { 'items.1.parent': english }], 'in the order of the items')
    t.equal((await move(b, null)).statusCode, 200)
    await levelsAreRight(t)
  })

  await t.test('deletes make place', async (t) => {
    const [top, low] = await chain(2) as [number, number]
    t.equal((await move(top, ids[48])).statusCode, 400)
    t.equal((await director.send('DELETE', `contracts/${low}/`)).statusCode, 204)
    t.equal((await move(top, ids[48])).statusCode, 200)
    t.equal((await director.send('DELETE', `contracts/${top}/`)).statusCode, 204)
    await levelsAreRight(t)
  })

  await t.test('of concurrent writes that together would be too deep, some are refused', async (t) => {
    const [upper, lower] = [await chain(30), await chain(15)]
    const between = await Promise.all(Array.from({ length: 8 }, async () => await id(director)))
    const answers = await Promise.all([
      ...between.map(async one => await move(lower[0], one)), ...between.map(async (one, n) => await move(one, between[n - 1] ?? upper[29])),
      ...Array.from({ length: 8 }, async (_, n) => await director.post('contracts/', { folio: `CARRERA-${n}`, parent: lower[14] }))
    ])
    t.ok(answers.every(({ statusCode }) => [200, 201, 400, 409].includes(statusCode)), String(answers.map(({ statusCode }) => statusCode)))
    await levelsAreRight(t)
    t.strictSame(await psql('select * from contract_levels where levels > 50'), [])
  })

  await t.test('deeper trees of before are readable and can be edited, but not extended', async (t) => {
    await psql('alter table contracts disable trigger user')
    const old = await chain(400)
    await psql('alter table contracts enable trigger user')
    await psql(`
      insert into contract_levels (company_id, contract_id, parent_id, levels)
      select company_id, id, parent_id, least($2::bigint - id + 1, 51) from contracts where id >= $1 and id < $2`, [old[0], old[399]])
    await levelsAreRight(t)
    t.equal((await director.get(`contracts/${old[0]}/tree/`)).statusCode, 200)
    t.equal((await director.get(`contracts/${old[399]}/ancestors/`)).json().length, 399)
    for (const one of [old[0], old[200], old[399]]) t.equal((await director.send('PATCH', `contracts/${one}/`, { descripcion: 'antigua' })).statusCode, 200)
    t.equal((await director.send('PUT', `contracts/${old[399]}/`, { folio: 'ANTIGUA', parent: old[398] })).statusCode, 200, 'with the parent that it has')
    const { folio, version } = (await director.get(`contracts/${old[300]}/`)).json()
    await psql("update contracts set external_id = 'antigua-' || id where id in ($1, $2)", [old[300], old[350]])
    const bulk = async (descripcion: string, others: object[]) => await director.post('contracts/bulk/', {
      upsert: 'external_id', items: [...others, ...[300, 350].map(n => ({ external_id: `antigua-${old[n]}`, descripcion, parent: old[n - 1], folio: `${folio}-${n}` }))]
    })
    t.equal((await bulk('en lote', [])).statusCode, 201, 'in a bulk, which writes all fields')
    t.match((await director.get(`contracts/${old[300]}/`)).json(), { descripcion: 'en lote', parent: old[299], version: version + 2 })
    t.equal((await bulk('otra vez', [{ folio: 'RAIZ', external_id: 'r' }, { folio: 'HOJA', external_id: 'h' }])).statusCode, 201, 'with creates')
    const taken = await bulk('mal', [{ external_id: 'mal', folio: 'RAIZ' }])
    t.strictSame(Object.keys(taken.json().errors), ['items.0.folio'], 'no other problem is reported')
    t.strictSame(Object.keys((await director.send('PATCH', `contracts/${old[300]}/`, { folio: 'RAIZ' })).json().errors), ['folio'])
    for (const parent of [old[49], old[399]]) t.match((await director.post('contracts/', { folio: 'NUEVA', parent })).json(), refusal)
    t.match((await move(old[300], ids[0])).json(), refusal)
    t.equal((await move(old[370], null)).statusCode, 200, 'a part of 30 levels')
    t.equal((await move(old[370], ids[19])).statusCode, 200)
    t.equal((await director.send('DELETE', `contracts/${old[369]}/`)).statusCode, 204)
    await levelsAreRight(t)
  })
})

t.test('the database refuses trees that are too deep, for every role', async (t) => {
  const { psql } = await build(t)
  const refused = { code: '23514', constraint: 'contracts_parent_depth' }
  const insert = 'insert into contracts (id, company_id, folio, parent_id) select 900000 + n, 1, n::text, case when n > 1 then 899999 + n end from generate_series(1, $1::int) n'
  await t.rejects(psql(insert, [51]), refused)
  await psql(insert, [50])
  await t.rejects(psql("insert into contracts (id, company_id, folio, parent_id) values (990001, 1, 'X', 900050)"), refused)
  await psql("insert into contracts (id, company_id, folio, parent_id) values (990001, 1, 'X', null), (990002, 1, 'Y', 990001)")
  await t.rejects(psql('update contracts set parent_id = 900049 where id = 990001'), refused)
  await psql('update contracts set parent_id = 900048 where id = 990001')
  await t.rejects(psql('update contracts set parent_id = case id when 990002 then 900050 end where id in (990001, 990002)'), refused, 'one update of two')
  t.strictSame(await psql(wrongLevels), [])
})
