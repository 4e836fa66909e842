import t from 'tap'
import { contracts } from '../../../src/contracts/resource.ts'
import { contrapartes } from '../../../src/contrapartes/resource.ts'
import { estimates } from '../../../src/estimates/resource.ts'
import { orderings, parseOrdering } from '../../../src/resources/ordering.ts'
import { pageShape, type Start } from '../../../src/resources/page-shape.ts'
import type { Condition } from '../../../src/resources/resource.ts'
import { searchConditions } from '../../../src/resources/search.ts'

const byId = parseOrdering(contracts)
const filter = (name: string, value: unknown) => contracts.filters[name]?.(value) as Condition

t.test('lists that are asked for all the time, and found at once, are prepared', async (t) => {
  t.equal(pageShape(contracts, byId, [], 'near').name, 'contracts by id')
  t.equal(pageShape(contracts, byId, [], 'cursor').name, 'contracts by id from cursor')
  t.equal(pageShape(contracts, byId, [filter('folio', 'a')], 'near').name, 'contracts by id where t.folio = $')
  t.equal(pageShape(contracts, byId, [filter('folio', 'b')], 'near'), pageShape(contracts, byId, [filter('folio', 'a')], 'near'), 'the same for every value')
})

t.test('what nobody shall wait for is not, nor are shapes of which there are many', async (t) => {
  const unprepared: Array<[Start, Condition[]]> = [
    ['far', []],
    ['near', [filter('estado', 'vigente')]],
    ['near', [filter('folio', 'a'), filter('estado', 'vigente')]],
    ['far', [filter('folio', 'a')]],
    ['near', searchConditions(contracts, 'a')]
  ]
  for (const [start, conditions] of unprepared) t.equal(pageShape(contracts, byId, conditions, start).name, undefined)
  t.equal(pageShape(contracts, parseOrdering(contracts, ['estado', 'monto']), [], 'near').name, undefined)
  t.equal(pageShape(contracts, parseOrdering(contracts, ['-monto']), [filter('folio', 'a')], 'near').name, undefined)
})

t.test('each has a name of its own that PostgreSQL keeps whole', async (t) => {
  const texts = new Map<string, string>()
  for (const resource of [contracts, contrapartes, estimates]) {
    for (const ordering of orderings(resource)) {
      for (const start of ['near', 'cursor'] as const) {
        for (const filters of [[], ...Object.keys(resource.filters).map(name => [resource.filters[name]?.('1') as Condition])]) {
          const { name, text } = pageShape(resource, parseOrdering(resource, [ordering]), filters, start)
          if (name === undefined) continue
          t.ok(Buffer.byteLength(name) <= 63, name)
          t.equal(texts.get(name) ?? text, text, name)
          texts.set(name, text)
        }
      }
    }
  }
})
