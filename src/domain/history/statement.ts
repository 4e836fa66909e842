import { byIndex } from '../../database/by-index.ts'
import { requestRows, type BatchQuery, idType } from '../../database/turns/batch-requests.ts'
import type { Condition } from '../../resources/declaration/conditions.ts'
import type { RecordedField } from '../../resources/declaration/history.ts'
import { ofCompanyUnrevised, ofNoCompany, type Scope } from '../../resources/declaration/scope.ts'
import { after, orderBy, type OrderingKey } from '../../resources/reading/ordering-keys.ts'
import { idsAsText } from '../../resources/reading/whole-list.ts'

/** A resource with a history. */
export interface WithHistory {
  name: string
  recorded: { fields: RecordedField[] }
}

/** The keys of the list: newest first. */
export const historyKeys: OrderingKey[] = [
  { field: 'at', sql: 'h.at', type: 'timestamptz', descending: true },
  { field: 'id', sql: 'h.id', type: idType, descending: true }
]

/** Whose entries a list has: those of a company, of accounts of one customer without a company, or of all such accounts. */
export type HistoryOwner = 'company' | 'customer' | 'accounts'

/** SQL condition: readers of a list may know the name of user `u`. Users can move to another customer, and support has none. */
const readableBy: Record<HistoryOwner, string> = {
  company: 'u.customer_id = (select c.customer_id from companies c where c.id = q.company)',
  customer: 'u.customer_id = q.customer',
  accounts: 'true'
}

/** The entries of a list. Its conditions are over `h`. */
export interface HistoryList {
  owner: HistoryOwner
  conditions: Condition[]
}

/** The history of each owner, as {@link Reader} reads it. */
export const ownedBy: Record<HistoryOwner, { name: string, scope: Scope }> = {
  company: { name: 'history', scope: ofCompanyUnrevised },
  customer: { name: 'history', scope: ofNoCompany },
  accounts: { name: 'history', scope: ofNoCompany }
}

/** The values of a list's conditions. */
export function valuesOf ({ conditions }: HistoryList): unknown[] {
  return conditions.filter(({ type }) => type !== undefined).map(({ value }) => value)
}

/**
 * The statement of a list. Its values are: the customer unless `owner` is `company`, the limit, those of the conditions, and those of the
 * cursor.
 * @param resources whose fields it returns, in the form of answers: `former` and `present` are JSON objects
 * @param isContinued whether the list begins after a cursor
 */
export function historyStatement (resources: readonly WithHistory[], list: HistoryList, isContinued: boolean): BatchQuery {
  const { columns, chosen } = chosenBy(list, 'h.*', isContinued)
  // Reads of one record are frequent and fast. Each other combination of conditions would be a prepared statement of its own.
  return {
    slow: true,
    columns,
    limit: 'limit',
    text: `
      select q.i, ${entry(resources, list.owner)}
      from ${requestRows(columns)}
      cross join lateral (${chosen}) e
      order by e.at desc, e.id desc`
  }
}

/** The statement of the ids of a whole list, in its order, with the values of {@link historyStatement}. */
export function historyIds (list: HistoryList): BatchQuery {
  const { columns, chosen } = chosenBy(list, 'h.id')
  return { columns, text: `select q.i, listed.* from ${requestRows(columns)} cross join lateral ${idsAsText(`array(${chosen})`)} listed` }
}

/**
 * The statement of the entries with these ids, in their order. Its values are the customer unless `owner` is `company`, and the ids as
 * text.
 */
export function historyEntries (resources: readonly WithHistory[], owner: HistoryOwner): BatchQuery {
  const columns = [...customerOf(owner), ['ids', 'text']] as const
  return {
    columns,
    text: byIndex(`
      select q.i, ${entry(resources, owner)}
      from ${requestRows(columns)}
      cross join lateral unnest(q.ids::bigint[]) with ordinality chosen (id, nth)
      cross join lateral (
        select h.* from history h where ${isOwned(owner)} and h.id = by_index(chosen.id) limit 1) e
      order by chosen.nth`)
  }
}

const customerOf = (owner: HistoryOwner) => owner === 'company' ? [] : [['customer', 'int'] as const]

const isOwned = (owner: HistoryOwner) => `h.company_id = q.company${owner === 'customer' ? ' and h.customer = q.customer' : ''}`

/** The parameter columns of a list, and the query of its entries. */
function chosenBy (
  { owner, conditions }: HistoryList, select: string, isContinued = false
): { columns: Array<readonly [string, string]>, chosen: string } {
  const columns: Array<readonly [string, string]> = [...customerOf(owner), ['limit', 'int']]
  const where = [isOwned(owner)]
  for (const { sql, type } of conditions) {
    const name = `f${columns.length}`
    if (type !== undefined) columns.push([name, type])
    where.push(sql.replaceAll('$', `q.${name}`))
  }
  if (isContinued) {
    where.push(after(historyKeys, historyKeys.map(({ type }, index) => {
      columns.push([`k${index}`, type])
      return `q.k${index}`
    })))
  }
  return {
    columns, chosen: `select ${select} from history h where ${where.join(' and ')} order by ${orderBy(historyKeys)} limit q."limit"`
  }
}

/** The select list of an entry, `e`. */
function entry (resources: readonly WithHistory[], owner: HistoryOwner): string {
  return `e.id, e.at, e.resource, e.record_id as record, e.version, e.operation, e.caller,
        (select u.nombre from users u where u.id = e.caller and ${readableBy[owner]}) as nombre,
        array(select jsonb_object_keys(e.fields)) as columns,
        case e.operation when 'update' then ${shown(resources, part(0))} end as former,
        ${shown(resources, `case e.operation when 'update' then ${part(1)} else e.fields end`)} as present`
}

/** SQL of the old (0) or new (1) values of an update. */
function part (index: 0 | 1): string {
  return `(select jsonb_object_agg(f.key, f.value -> ${index}) from jsonb_each(e.fields) f)`
}

/** SQL of a record's fields in the form of answers. @param values SQL of its values by column */
function shown (resources: readonly WithHistory[], values: string): string {
  const objects = resources.map(({ name, recorded }) => `
          when '${name}' then (select row_to_json(x)::text from (
            select ${recorded.fields.map(({ field, sql }) => `${sql} as "${field}"`).join(', ')}
            from jsonb_populate_record(null::${name}, ${values}) t) x)`)
  return `case e.resource ${objects.join('')} end`
}
