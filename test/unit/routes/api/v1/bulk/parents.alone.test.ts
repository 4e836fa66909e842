import t from 'tap'
import { build } from '../../../../../support/helper.ts'
import { statements } from './statements.ts'

const contract = (name: string, parent?: string) => ({ folio: name, external_id: name, ...parent !== undefined && { parent: { external_id: parent } } })
const families = (tag: string, count: number) => Array.from({ length: count }, (_, index) => {
  const name = `${tag}-${index}`
  return [contract(name), contract(`${name}-a`, name), contract(`${name}-b`, name), contract(`${name}-a-a`, `${name}-a`)]
})
const chain = Array.from({ length: 50 }, (_, level) => contract(`T-${level}`, level === 0 ? undefined : `T-${level - 1}`))

t.test('the number of statements of a bulk with parents depends on its levels, not on its items', async (t) => {
  const { as } = await build(t, { RATE_LIMIT: 'off' })
  const director = await as('director@demo.example')
  const counted = async (items: object[], options: object = { upsert: 'external_id' }) => {
    statements.count = 0
    const response = await director.post('contracts/bulk/', { items, ...options })
    return { response, results: response.json().results, count: statements.count }
  }

  for (const [name, options] of Object.entries({ 'all or none': { upsert: 'external_id' }, partial: { upsert: 'external_id', partial: true } })) {
    const items = families(name, 50).flat()
    const created = await counted(items, options)
    const ids = new Map<string, number>(created.results.map((row: { external_id: string, id: number }) => [row.external_id, row.id]))
    t.match(created.results, items.map(item => ({ folio: item.folio, parent: item.parent === undefined ? null : ids.get(item.parent.external_id) })))
    t.strictSame([...ids.values()], [...ids.values()].sort((a, b) => a - b), 'ids are in the order of the items')
    t.ok(created.count < 80, `${created.count} statements for 50 interleaved families, ${name}`)

    const repeated = await counted(items, options)
    t.strictSame(repeated.results, created.results)
    t.ok(repeated.count < 40, `${repeated.count} statements to repeat them, ${name}`)

    const added = await counted(items.flatMap((item, index) => index % 4 === 3 ? [item, contract(`${item.folio}-a`, item.folio)] : [item]), options)
    t.equal(added.results.length, 250)
    t.ok(added.count < 60, `${added.count} statements to add 50 to them, ${name}`)
  }

  const first = await counted(chain)
  t.equal(first.response.statusCode, 201)
  t.ok(first.count < 1000, `${first.count} statements for 50 levels`)
  const again = await counted(chain)
  t.strictSame(again.results, first.results)
  t.ok(again.count < 40, `${again.count} statements to repeat them`)
})

t.test('children of refused items are reported in few statements', async (t) => {
  const { as } = await build(t, { RATE_LIMIT: 'off' })
  const director = await as('director@demo.example')
  const items = families('R', 50).flat().map((item, index) => index % 4 === 1 ? { ...item, folio: 'R-0' } : item)
  statements.count = 0
  const { errors } = (await director.post('contracts/bulk/', { items })).json()
  t.strictSame(Object.keys(errors).slice(0, 4), ['items.1.folio', 'items.3.parent', 'items.5.folio', 'items.7.parent'])
  t.ok(statements.count < 120, `${statements.count} statements`)
})
