import t from 'tap'
import type { Page } from '../../../../../support/device.ts'
import { build } from '../../../../../support/helper.ts'

t.test('a feed limited to contracts', async (t) => {
  const { as, psql } = await build(t, { RATE_LIMIT: 'off' })
  const director = await as('director@demo.example')
  const contract = async (folio: string) => (await director.post('contracts/', { folio, monto: '1000' })).json().id as number
  const estimate = async (of: number) => (await director.post('estimates/', { contract: of, monto: '1' })).json().id as number
  const [a, b, other] = [await contract('L-1'), await contract('L-2'), await contract('L-3')]
  const of = new Map<number, number[]>()
  for (const one of [a, b, other]) of.set(one, [await estimate(one), await estimate(one), await estimate(one)])
  const [{ parties }] = await psql('select count(*)::int as parties from contrapartes where company_id = 1') as [{ parties: number }]

  const read = async (query: string) => (await director.get(`changes/?${query}`)).json() as Page
  const readAll = async (query: string, size = 500) => {
    const changes: Page['changes'] = []
    let page = await read(`${query}&page_size=${size}`)
    for (changes.push(...page.changes); page.has_more; changes.push(...page.changes)) page = await read(`cursor=${page.cursor}&page_size=${size}`)
    return { ...page, changes }
  }
  const ids = (changes: Page['changes'], resource: string) => changes.filter(change => change.resource === resource).map(({ id }) => id)

  const start = await readAll(`contracts=${b},${a},${a}`)

  await t.test('has their records and all counterparties, in pages of any size', async (t) => {
    for (const size of [1, 2, 3, 500]) {
      const { changes, counts } = await readAll(`contracts=${a},${b}`, size)
      t.strictSame([ids(changes, 'contracts'), ids(changes, 'estimates')], [[a, b], [...of.get(a) ?? [], ...of.get(b) ?? []]])
      t.strictSame([ids(changes, 'contrapartes').length, counts], [parties, { contrapartes: parties }], 'limited resources have no counts')
    }
    t.strictSame(ids((await readAll(`contracts=${a}&resources=estimates`)).changes, 'estimates'), of.get(a))
    t.strictSame(ids((await readAll('contracts=999999')).changes, 'contracts'), [])
  })

  await t.test('has the changes of their records only', async (t) => {
    await director.send('PATCH', `contracts/${other}/`, { descripcion: 'x' })
    await director.send('PATCH', `contracts/${a}/`, { descripcion: 'x' })
    const [added, foreign] = [await estimate(b), await estimate(other)]
    const { changes, cursor } = await readAll(`cursor=${start.cursor}`)
    t.strictSame([ids(changes, 'contracts'), ids(changes, 'estimates')], [[a], [added]])
    await director.send('DELETE', `estimates/${added}/`)
    await director.send('DELETE', `estimates/${foreign}/`)
    const after = await readAll(`cursor=${cursor}`)
    t.match(after.changes, [{ id: added, deleted: true }, { id: foreign, deleted: true }], 'deleted records are announced, without their contract')
    t.ok(after.changes.every(({ record }) => record === undefined))
  })

  await t.test('the cursor keeps the contracts', async (t) => {
    t.equal((await director.get(`changes/?cursor=${start.cursor}&contracts=${b},${a}`)).statusCode, 200)
    for (const [cursor, contracts] of [[start.cursor, a], [(await readAll('')).cursor, a]]) {
      const refused = await director.get(`changes/?cursor=${cursor}&contracts=${contracts}`)
      t.strictSame([refused.statusCode, refused.json().errors], [400, { contracts: ['The cursor belongs to other contracts.'] }])
    }
    for (const wrong of ['x', '', Array.from({ length: 101 }, (_, index) => index + 1).join()]) t.strictSame([(await director.get(`changes/?contracts=${wrong}`)).statusCode, Object.keys((await director.get(`changes/?contracts=${wrong}`)).json().errors)], [400, ['contracts']])
    const most = Array.from({ length: 100 }, (_, index) => Number.MAX_SAFE_INTEGER - index).join()
    const { cursor } = await readAll(`contracts=${most}`)
    t.equal((await director.get(`changes/?cursor=${cursor}`)).statusCode, 200, `${cursor.length} characters`)
  })

  await t.test('another company has nothing of them', async (t) => {
    const stranger = await as('director@otra.example')
    const { changes } = (await stranger.get(`changes/?contracts=${a},${b}`)).json() as Page
    t.strictSame([ids(changes, 'contracts'), ids(changes, 'estimates')], [[], []])
  })
})
