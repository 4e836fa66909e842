import { limits } from '../../config/limits.ts'
import type { Row } from '../../database/connection/sql.ts'
import { byIndex } from '../../database/by-index.ts'
import { requestRows, type BatchQuery, perResource } from '../../database/turns/batch-requests.ts'
import { nonFieldErrors, ValidationError } from '../../http/errors.ts'
import { revisionOf, type Revision } from '../../http/representation.ts'
import type { Condition } from '../declaration/conditions.ts'
import type { Readable } from '../declaration/base-resource.ts'
import { ofCompany, type Reader } from '../declaration/scope.ts'
import { conditionsOf, type ListQuery, parseOrdering } from './page.ts'
import { chosenFrom, either, ownJoinsOf, parametersOf } from './page-statement.ts'
import type { OrderingKey } from './ordering-keys.ts'
import { foundAmong, withIds } from './search.ts'

/** Maximum rows of a list that is read as a whole. */
export const maxListRows = limits.exports.rows

/** Rows of one statement of a list. More of them keep the process busy for longer than a slice of an export. */
const rowsOfPart = 100

/** Consecutive rows of a list, and the revision of its scope in the snapshot of the read. */
export interface ListPart extends Revision {
  rows: Row[]
}

/**
 * Reads a whole list in parts, each in a statement of its own. The first statement reads all ids, so filters, search and ordering run once,
 * and a part takes the same time in every ordering.
 * @param zone of times in the query without an offset
 * @throws {ValidationError} for an invalid ordering, or for more rows than {@link maxListRows}
 */
export async function * readWholeList (read: Reader, resource: Readable, query: ListQuery, zone: string): AsyncGenerator<ListPart> {
  const keys = parseOrdering(resource, query.ordering)
  const conditions = conditionsOf(resource, query, zone)
  const values = conditions.filter(({ type }) => type !== undefined).map(({ value }) => value)
  const [list] = await read(idsQuery(resource, keys, conditions), [maxListRows + 1, 0, ...values])
  yield { ...revisionOf(list), rows: [] }
  for (const part of partsOfIds(list)) {
    const rows = await read(recordsQuery(resource), [part])
    yield { ...revisionOf(rows[0]), rows: rows.filter(row => row['hit'] !== null) }
  }
}

/**
 * SQL of the ids of a whole list and their number. The ids are the text of an array, because an array of 100,000 numbers takes time and
 * memory.
 */
export function idsAsText (array: string): string {
  return `(select whole.ids::text as ids, cardinality(whole.ids) as count from (select ${array} as ids offset 0) whole)`
}

const idsOfPart = new RegExp(`\\d+(?:,\\d+){0,${rowsOfPart - 1}}`, 'g')

/**
 * The ids of a whole list, divided into parts, each as the text of an array.
 * @throws {ValidationError} for more than {@link maxListRows}
 */
export function * partsOfIds ({ ids, count }: Row): Generator<string> {
  if (count > maxListRows) throw tooManyRows()
  for (const [part] of String(ids).matchAll(idsOfPart)) yield `{${part}}`
}

/** Rows of one statement, divided into parts. @throws {ValidationError} for more rows than {@link maxListRows} */
export function * partsOf (rows: Iterable<Row>, revision: Revision): Generator<ListPart> {
  let count = 0
  let part: Row[] = []
  for (const row of rows) {
    if (++count > maxListRows) throw tooManyRows()
    if (part.length === rowsOfPart) {
      yield { ...revision, rows: part }
      part = []
    }
    part.push(row)
  }
  yield { ...revision, rows: part }
}

/** The 400 for a list with more rows than {@link maxListRows}. */
export function tooManyRows (): ValidationError {
  return new ValidationError([{ field: nonFieldErrors, key: 'tooManyRows', values: { max_rows: maxListRows } }])
}

/** The query of the ids of a list, in its order. Its values are a limit, 0, and the values of the conditions. */
function idsQuery (resource: Readable, keys: OrderingKey[], conditions: Condition[]): BatchQuery {
  const scope = resource.scope ?? ofCompany
  const { columns, computed, terms, filtered } = parametersOf(scope.pin, keys, conditions, 'near')
  const joins = [...conditions, ...keys].some(({ joins }) => joins === true) ? resource.filterJoins : ''
  const id = 't.id::bigint as id'
  const sorted = `${joins} ${ownJoinsOf(keys)}`
  const all = (where: string) => chosenFrom(id, `${resource.name} t`, sorted, where, keys, 'q."limit"')
  const isSearch = terms.length > 0 && scope === ofCompany
  // As for pages, the search index finds few candidates, and a scan suits many.
  const chosen = isSearch
    ? either(
      chosenFrom(id, withIds(resource, 'found'), sorted, 'found.ids is not null', keys, 'q."limit"'),
      all(`found.ids is null and ${filtered}`))
    : all(filtered)
  return {
    columns,
    text: `
      select q.i, r.revision, r.stamp, listed.*
      from (select ${['q.*', ...computed].join(', ')} from ${requestRows(columns, scope.owner)} offset 0) q
      ${scope.joins}
      ${isSearch ? foundAmong(resource, terms, `${joins} where ${filtered}`) : ''}
      cross join lateral ${idsAsText(`array(select chosen.id from (${chosen}) chosen)`)} listed`
  }
}

/** The query of the records with these ids, in their order: an array of ids as text. */
const recordsQuery = perResource((resource: Readable): BatchQuery => {
  const columns = [['ids', 'text']] as const
  const { owner, joins, pin } = resource.scope ?? ofCompany
  return {
    name: `rows of ${resource.name}`,
    slow: true,
    columns,
    text: byIndex(`
      select q.i, r.revision, r.stamp, x.*
      from ${requestRows(columns, owner)}
      ${joins}
      left join lateral (
        select true as hit, ${resource.item}
        from unnest(q.ids::bigint[]) with ordinality chosen (id, nth)
        cross join lateral (
          select t.* from ${resource.name} t where ${pin} and t.id = by_index(chosen.id) limit 1) t
        ${resource.joins}
        order by chosen.nth) x on true`)
  }
})
