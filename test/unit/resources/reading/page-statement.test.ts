import t from 'tap'
import { contracts } from '../../../../src/domain/contracts/resource.ts'
import { ancestorsQuery, treeQuery } from '../../../../src/domain/contracts/tree.ts'
import { contrapartes } from '../../../../src/domain/contrapartes/resource.ts'
import { estimates } from '../../../../src/domain/estimates/resource.ts'
import { companies } from '../../../../src/domain/accounts/companies.ts'
import { customers } from '../../../../src/domain/accounts/customers.ts'
import { memberships } from '../../../../src/domain/accounts/memberships.ts'
import { users } from '../../../../src/domain/accounts/users.ts'
import { pageQuery, orderings, parseOrdering } from '../../../../src/resources/reading/page.ts'
import type { Start } from '../../../../src/resources/reading/page-statement.ts'
import type { OrderingKey } from '../../../../src/resources/reading/ordering-keys.ts'
import type { Condition } from '../../../../src/resources/declaration/conditions.ts'
import type { Readable } from '../../../../src/resources/declaration/base-resource.ts'
import { searchConditions } from '../../../../src/resources/reading/search.ts'

const byId = parseOrdering(contracts)
const filter = (name: string, value: unknown) => contracts.filters[name]?.(value)

t.test('frequent and fast lists are prepared statements', async (t) => {
  t.equal(pageQuery(contracts, byId, [], 'near').name, 'contracts by id')
  t.equal(pageQuery(contracts, byId, [], 'cursor').name, 'contracts by id from cursor')
  t.equal(pageQuery(contracts, byId, [filter('folio', 'a')], 'near').name, 'contracts by id where t.folio = $')
  t.equal(pageQuery(contracts, byId, [filter('folio', 'b')], 'near'), pageQuery(contracts, byId, [filter('folio', 'a')], 'near'), 'one statement for all values')
})

t.test('slow lists and combinations of filters are not prepared', async (t) => {
  const unprepared: Array<[Start, Condition[]]> = [
    ['far', []],
    ['near', [filter('estado', 'vigente')]],
    ['near', [filter('folio', 'a'), filter('estado', 'vigente')]],
    ['far', [filter('folio', 'a')]],
    ['near', searchConditions(contracts, 'a')]
  ]
  for (const [start, conditions] of unprepared) t.equal(pageQuery(contracts, byId, conditions, start).name, undefined)
  t.equal(pageQuery(contracts, parseOrdering(contracts, ['estado', 'monto']), [], 'near').name, undefined)
  t.equal(pageQuery(contracts, parseOrdering(contracts, ['-monto']), [filter('folio', 'a')], 'near').name, undefined)
})

t.test('sorts of a whole company and trees do not run in the common turn', async (t) => {
  const isCommon = (ordering: string[]) => pageQuery(contracts, parseOrdering(contracts, ordering), [], 'near').name !== undefined
  for (const ordering of [[], ['id'], ['-id'], ['folio'], ['-updated_at']]) t.equal(isCommon(ordering), true, ordering.join())
  for (const ordering of ['monto', '-estado', 'contraparte']) t.equal(isCommon([ordering]), false, ordering)
  t.strictSame([treeQuery.slow, ancestorsQuery.slow], [true, true])
})

/** Every list with up to two orderings and up to one filter. */
function * everyList (resource: Readable): Generator<[keys: OrderingKey[], conditions: Condition[], start: Start]> {
  const all = orderings(resource)
  const words = [[], ...all.map(one => [one]), ...all.flatMap(one => all.filter(other => other.replace('-', '') !== one.replace('-', '')).map(other => [one, other]))]
  const filters = [[], ...Object.keys(resource.filters).map(name => [resource.filters[name]?.('1')])]
  for (const ordering of words) {
    for (const conditions of filters) {
      for (const start of ['near', 'cursor', 'far'] as const) yield [parseOrdering(resource, ordering), conditions, start]
    }
  }
}

t.test('clients can prepare only a few list statements on a connection', async (t) => {
  const names = (resource: Readable) => new Set([...everyList(resource)].map(list => pageQuery(resource, ...list).name)).difference(new Set([undefined])).size
  const business = [contracts, contrapartes, estimates].map(names)
  t.ok(business.every(count => count <= 16), String(business))
  const all = [...business, ...[companies, customers, memberships, users].map(names)]
  t.ok(all.reduce((sum, count) => sum + count) <= 70, String(all))
})

t.test('each statement has a unique name of at most 63 bytes, which PostgreSQL does not truncate', async (t) => {
  const texts = new Map<string, string>()
  for (const resource of [contracts, contrapartes, estimates]) {
    for (const ordering of orderings(resource)) {
      for (const start of ['near', 'cursor'] as const) {
        for (const filters of [[], ...Object.keys(resource.filters).map(name => [resource.filters[name]?.('1')])]) {
          const { name, text } = pageQuery(resource, parseOrdering(resource, [ordering]), filters, start)
          if (name === undefined) continue
          t.ok(Buffer.byteLength(name) <= 63, name)
          t.equal(texts.get(name) ?? text, text, name)
          texts.set(name, text)
        }
      }
    }
  }
})

t.test('the statements of 1,000 lists are cached', async (t) => {
  const of = (number: number) => pageQuery(contracts, byId, [{ sql: `t.id > ${number}` }], 'near')
  const first = of(0)
  for (let number = 1; number < 1000; number++) of(number)
  t.equal(of(0), first)
  for (let number = 1; number <= 1000; number++) of(number)
  t.not(of(0), first, 'the least recently used one is evicted')
})
