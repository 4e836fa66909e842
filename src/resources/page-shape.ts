import { LRUCache } from 'lru-cache'
import { asked, type Shape } from '../database/turns.ts'
import { after, orderBy, orderingName, type OrderingKey } from './ordering.ts'
import type { Condition, Readable } from './resource.ts'
import { ofCompany } from './scope.ts'
import { amongCandidates, candidates } from './search.ts'

const shapes = new LRUCache<string, Shape>({ max: 1000 })

/** As many records are rather found and sorted than met in the list's order among all the others. */
const fewRecords = 1000

/**
 * The statement of a list's page, the same for the same orderings and conditions. Its values are limit, offset (negative for the last page), the
 * conditions' own and, from a cursor, the keys'.
 */
export function pageShape (resource: Readable, keys: OrderingKey[], conditions: Condition[], fromCursor: boolean): Shape {
  const order = orderingName(keys)
  const key = JSON.stringify([resource.name, order, fromCursor, ...conditions.map(({ sql }) => sql)])
  let shape = shapes.get(key)
  if (shape === undefined) {
    // Prepared are the few shapes that are asked for all the time.
    const name = keys.length <= 2 && conditions.length === 0 ? `${resource.name} by ${order}${fromCursor ? ' from cursor' : ''}` : undefined
    shape = { name, ...pageStatement(resource, keys, conditions, fromCursor) }
    shapes.set(key, shape)
  }
  return shape
}

function pageStatement (resource: Readable, keys: OrderingKey[], conditions: Condition[], fromCursor: boolean): Shape {
  const scope = resource.scope ?? ofCompany
  const { columns, computed, terms, filtered, wanted } = parametersOf(scope.pin, keys, conditions, fromCursor)
  const asker = asked(columns, scope.asker)

  // The count of everything may be kept by triggers; a count that needs no join must not make one (it would lose its index-only scan).
  const joins = conditions.some(({ joins }) => joins === true) ? resource.lookedAt : ''
  const counted = (from: string) => `select count(*)::int as count from ${from} ${joins} where ${filtered}`
  // What a record shows beyond its own row is looked up for the rows of the page, not for those that it passes over.
  const page = (from: string, where: string) => `
        select true as hit, ${resource.item}
        from (
          select t.* from ${from} ${keys.some(key => key.joins === true) ? resource.lookedAt : joins}
          where ${where}
          order by ${orderBy(keys)}
          limit q."limit"
          offset case when q."offset" >= 0 then q."offset" else greatest((n.count - 1) / q."limit" * q."limit", 0) end
        ) t ${resource.joins}
        order by ${orderBy(keys)}`
  const all = `${resource.name} t`
  let count = conditions.length === 0 && scope.total !== undefined ? `select ${scope.total(resource.name)} as count` : counted(all)
  let rows = page(all, wanted)
  let among = ''
  if (terms.length > 0 && scope === ofCompany) {
    // Either way is a plan of its own, and the other is not run: a join that is good for all the records would be bad for a few.
    // `offset 0`: counted once, not once a row.
    const few = amongCandidates(resource)
    count = `select case when candidates.ids is null then (${count}) else (${counted(few)}) end as count offset 0`
    rows = `(${page(few, wanted)}) union all (${page(all, `candidates.ids is null and ${wanted}`)})`
    among = candidates(resource, terms)
  } else if (conditions.some(({ narrow }) => narrow === true)) {
    const found = `(select t.* from ${all} ${joins} where ${filtered} offset 0) t`
    rows = `(${page(found, `n.count <= ${fewRecords} and ${wanted}`)}) union all (${page(all, `n.count > ${fewRecords} and ${wanted}`)})`
  }
  return {
    columns,
    text: `
      select q.i, r.revision, n.count, x.*
      from ${computed.length === 0 ? asker : `(select ${['q.*', ...computed].join(', ')} from ${asker} offset 0) q`}
      ${scope.joins}
      ${among}
      cross join lateral (${count}) n
      left join lateral (${rows}) x on true`
  }
}

/** The parameter columns of a page's statement, what is computed of them once a request, and the conditions: all of the list's, and the page's. */
function parametersOf (pin: string, keys: OrderingKey[], conditions: Condition[], fromCursor: boolean) {
  const columns: Array<readonly [string, string]> = [['limit', 'int'], ['offset', 'bigint']]
  const computed: string[] = []
  const terms: string[] = []
  const where = [pin]
  for (const { sql, type, by, term } of conditions) {
    const name = `f${columns.length}`
    if (type !== undefined) columns.push([name, type])
    const value = `q.${by === undefined ? '' : 'by_'}${name}`
    if (by !== undefined) computed.push(`${by}(q.${name}) as by_${name}`)
    if (term === true) terms.push(value)
    where.push(sql.replaceAll('$', value))
  }
  const filtered = where.join(' and ')
  if (!fromCursor) return { columns, computed, terms, filtered, wanted: filtered }
  const names = keys.map(({ type }, index) => {
    columns.push([`k${index}`, type])
    return `q.k${index}`
  })
  return { columns, computed, terms, filtered, wanted: `${filtered} and ${after(keys, names)}` }
}
