import t from 'tap'
import { build } from '../../../../../support/helper.ts'

interface Branch { id: number, folio: string, monto: string, monto_total: string, children: Branch[] }

t.test('the tree of contracts', async (t) => {
  const { as, psql } = await build(t)
  const director = await as('director@demo.example')
  const other = await as('director@otra.example')
  const [{ id: root }] = (await director.get('contracts/?folio=ON-2026-001')).json().results

  await t.test('nests all descendants of a contract, each with its own amount and the total', async (t) => {
    const response = await director.get(`contracts/${root}/tree/`)
    t.equal(response.statusCode, 200)
    const flat = (branch: Branch): Branch[] => [branch, ...branch.children.flatMap(flat)]
    const all = flat(response.json())
    t.same(all.map(({ folio }) => folio), ['ON-2026-001', ...['A', 'B', 'C'].flatMap(letter => ['', '1', '2'].map(part => `ON-2026-001-${letter}${part}`))])
    for (const branch of all) {
      const [{ total }] = await psql('with recursive below as (select id, monto from contracts where id = $1 union all select c.id, c.monto from below join contracts c on c.parent_id = below.id) select sum(monto)::text as total from below', [branch.id]) as [{ total: string }]
      t.equal(branch.monto_total, total, branch.folio)
      t.notOk('level' in branch || 'revision' in branch)
    }
  })

  await t.test('is cut at a depth; the totals include all levels', async (t) => {
    const whole: Branch = (await director.get(`contracts/${root}/tree/`)).json()
    const one: Branch = (await director.get(`contracts/${root}/tree/?depth=1`)).json()
    t.equal(one.monto_total, whole.monto_total)
    t.strictSame(one.children.map(({ folio, monto_total: total, children }) => [folio, total, children]), whole.children.map(({ folio, monto_total: total }) => [folio, total, []]))
    t.strictSame((await director.get(`contracts/${root}/tree/?depth=0`)).json().children, [])
    t.strictSame((await director.get(`contracts/${root}/tree/?depth=-1&x=1`)).json().errors, { x: ['Unknown query parameter.'], depth: ['Ensure this value is greater than or equal to 0.'] })
  })

  await t.test('ancestors are listed from the root, without the contract itself', async (t) => {
    const [leaf] = (await director.get('contracts/?folio=ON-2026-001-B2')).json().results
    const response = await director.get(`contracts/${leaf.id}/ancestors/`)
    t.same(response.json().map(({ folio }: Branch) => folio), ['ON-2026-001', 'ON-2026-001-B'])
    t.strictSame((await director.get(`contracts/${root}/ancestors/`)).json(), [])
  })

  await t.test('is fresh, and 304 if nothing has changed', async (t) => {
    const before = await director.get(`contracts/${root}/tree/`)
    t.equal((await director.get(`contracts/${root}/tree/`, { 'if-none-match': String(before.headers.etag) })).statusCode, 304)
    await director.post('contracts/', { folio: 'ON-2026-001-D', parent: root, monto: '0.01' })
    const after = await director.get(`contracts/${root}/tree/`, { 'if-none-match': String(before.headers.etag) })
    t.equal(after.json().children.length, 4)
    t.equal(BigInt(after.json().monto_total.replace('.', '')), BigInt(before.json().monto_total.replace('.', '')) + 1n)
  })

  await t.test('can be edited and sent by PUT, PATCH and bulk; derived fields are ignored', async (t) => {
    const { otras_monedas: sums = {}, ...tree } = (await director.get(`contracts/${root}/tree/`)).json()
    const sent = { ...tree, otras_monedas: sums, monto_total: '1.00', folio: 'ARBOL', external_id: 'arbol' }
    for (const [method, url, body] of [['PUT', `contracts/${root}/`, sent], ['PATCH', `contracts/${root}/`, sent], ['PUT', `contracts/${tree.children[0].id}/`, tree.children[0]]] as const) {
      const response = await director.send(method, url, body)
      t.equal(response.statusCode, 200, response.body)
      t.equal(response.json().folio, body.folio)
    }
    t.equal((await director.post('contracts/bulk/', { upsert: 'external_id', items: [sent] })).statusCode, 201)
    const after = (await director.get(`contracts/${root}/tree/`)).json()
    t.equal(after.monto_total, tree.monto_total)
    t.strictSame(after.children.map(({ folio }: Branch) => folio), tree.children.map(({ folio }: Branch) => folio))
    t.equal((await director.send('PUT', `contracts/${root}/`, { ...sent, folio: tree.folio, external_id: null })).statusCode, 200)
    const elsewhere = await director.post('contrapartes/', { nombre: 'X', children: [], monto_total: '1.00' })
    t.strictSame(elsewhere.json().errors, { children: ['Unknown field.'], monto_total: ['Unknown field.'] }, 'other resources do not have these fields')
  })

  await t.test('belongs to its company only', async (t) => {
    for (const path of ['tree', 'ancestors']) {
      const response = await other.get(`contracts/${root}/${path}/`)
      t.equal(response.statusCode, 404)
      t.strictSame(response.json(), { detail: 'Not found.', code: 'not_found' })
    }
  })
})

t.test('a tree of ten thousand contracts is complete, a hundred levels deep or in a chain, as before the limit of levels', async (t) => {
  const { as, psql } = await build(t)
  await psql('drop trigger place_contracts on contracts')
  const director = await as('director@demo.example')
  const wide = await psql(`
    with recursive made as (select nextval('contracts_id_seq') as id, n from generate_series(0, 9999) n)
    insert into contracts (id, company_id, folio, monto, parent_id)
    select m.id, 1, 'W-' || m.n, 1, p.id from made m left join made p on m.n > 0 and p.n = greatest(m.n - 100, 0) and m.n <> p.n
    returning id, folio`)
  await psql('analyze contracts') // as autovacuum does after a load
  await psql("insert into contracts (id, company_id, folio, monto, parent_id) select 1000000 + n, 1, 'D-' || n, 1, case when n > 0 then 999999 + n end from generate_series(0, 9999) n")
  await psql('analyze contracts')
  const top = wide.find(({ folio }) => folio === 'W-0')?.['id']
  const response = await director.get(`contracts/${top}/tree/`)
  t.match(response.json(), { monto_total: '10000.00' })
  t.equal(response.body.match(/"children"/g)?.length, 10_000)

  const deep = await director.get('contracts/1000000/tree/')
  t.equal(deep.statusCode, 200)
  t.equal(deep.body.match(/"children"/g)?.length, 10_000)
  t.match(deep.body, /"monto_total":"10000.00"/)
  t.equal((await director.get('contracts/1009999/ancestors/')).json().length, 9999)
})
