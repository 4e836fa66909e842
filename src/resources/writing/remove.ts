import type { Row } from '../../database/connection/sql.ts'
import { sqlState } from '../../database/connection/sql-errors.ts'
import { byIndex } from '../../database/by-index.ts'
import { keyedRow } from '../../database/turns/keyed-row.ts'
import { idType, perResource, requestRows, type BatchQuery, type Turns } from '../../database/turns/batch-requests.ts'
import { where } from '../../database/where.ts'
import { httpError } from '../../http/errors.ts'
import type { Language, Texts } from '../../http/messages.ts'
import type { Precondition } from '../../http/representation.ts'
import type { Dependent, Link } from '../declaration/link.ts'
import type { Resource } from '../declaration/resource.ts'
import { recordId } from '../validation/convert.ts'
import { areNoted, callerColumn, notedCaller, notedCallers } from './callers.ts'
import { explained } from './constraint-errors.ts'
import { ofThatVersion, requireCurrent, type Attempt } from './update.ts'
import { closedBy, closedProblem, unlessClosed } from './writable.ts'

/**
 * Deletes a record.
 * @throws {HttpError} 404, 412, 409 with counts of the dependents
 */
export async function removeRecord (
  turns: Turns, resource: Resource, company: number, id: string, unchanged: Precondition
): Promise<Attempt<void>> {
  const current = await requireCurrent(turns, resource, company, recordId(id))
  if (!unchanged(current)) throw httpError(412)

  let isReferred = false
  const [removed] = await turns.write({ query: removeQuery(resource), company, values: [current.id, current.version] }).catch((error) => {
    if (sqlState(error) !== '23503') throw explained(resource, {}, error)
    isReferred = true
    return []
  })
  if (removed !== undefined) return { isOvertaken: false, result: undefined }
  const [row] = await turns.read({ query: dependentsQuery(resource), company, values: [current.id] }).catch((error) => {
    // A unit of work can only end after the error of the foreign key.
    throw isReferred ? httpError(409, { code: 'protected' }) : error
  })
  if (row?.['version'] === current.version) refuseRemoval(resource, row)
  if (isReferred) throw httpError(409, { code: 'protected' })
  return { isOvertaken: true }
}

/** SQL of the records that refer to `t`. */
function referring ({ through, ...link }: Dependent): string {
  const path = [...through, link]
  const joins = path.map(({ from, column }, index) => {
    const parent = index === 0 ? 't' : `d${index - 1}`
    return byIndex(`(select x.id from ${from} x where x.company_id = t.company_id and x.${column} = by_index(${parent}.id)) d${index}`)
  })
  return `(select d${path.length - 1}.id from ${joins.join(' cross join lateral ')})`
}

/**
 * Deletes records without dependents and skips the others, like an update. It finds one dependent and does not count. Its values are
 * `id` and `version`.
 */
export const removeQuery = perResource((resource: Resource): BatchQuery => {
  const { kept, dependents } = resource
  const columns = [['id', idType], ['version', 'int'], callerColumn] as const
  const conditions = [
    ...unlessClosed(closedBy(resource, 't', 't.company_id')),
    ...kept === undefined ? [] : [`(${kept.sql}) is not true`],
    ...dependents.map(link => `not exists ${referring(link)}`)
  ]
  return {
    name: `${resource.name} remove`,
    columns,
    perCaller: resource.cascades,
    text: `
      with admissible as materialized (
        select distinct on (q.company, q.id) q.*, t.place
        from ${requestRows(columns)} ${ofThatVersion(resource)}
        ${where(conditions)}
        order by q.company, q.id, q.i),
      ${resource.cascades ? notedCaller : notedCallers(resource.name)},
      removed as (delete from ${resource.name} t using admissible q where t.ctid = q.place)
      select i from admissible where ${areNoted}`
  }
})

/** Whether a record is kept whatever refers to it, the numbers of its dependents, and its version. */
const dependentsQuery = perResource((resource: Resource): BatchQuery => {
  const columns = [['id', idType]] as const
  const { kept, dependents } = resource
  const shown = [
    `(${kept?.sql ?? 'false'}) as kept`,
    `${closedBy(resource, 't', 't.company_id') ?? 'null'} as closed`,
    ...dependents.map((link, index) => `(select count(*) from ${referring(link)} d)::int as count_${index}`)
  ]
  return {
    name: `${resource.name} dependents`,
    slow: true,
    columns,
    text: `
      select ${['q.i', 't.version', ...shown].join(', ')}
      from ${requestRows(columns)}
      cross join lateral ${keyedRow('id', { table: resource.name, value: 'q.id' })} t`
  }
})

/** How a language says what prevents a delete. A noun phrase has its article: `a contract`, `una contraparte`. */
interface Grammar {
  record: (noun: string) => string
  has: (parts: string) => string
  uses: (records: string, count: number, noun: string) => string
  or: (next: string) => string
}

const grammars: Record<Language, Grammar> = {
  en: {
    record: noun => noun.replace(/^an? /, 'This '),
    has: parts => `it has ${parts}`,
    uses: (records, count) => `${records} use it (${count})`,
    or: () => 'or'
  },
  es: {
    record: noun => noun.replace(/^una /, 'Esta ').replace(/^un /, 'Este '),
    has: parts => `tenga ${parts}`,
    uses: (records, count, noun) => `haya ${records} que ${noun.startsWith('una ') ? 'la' : 'lo'} usen (${count})`,
    or: next => /^h?[oó]/.test(next) ? 'u' : 'o'
  }
}

/**
 * @param row of `dependentsQuery`
 * @throws {HttpError} 409 if the record cannot be deleted: with the resource's own message, or `protected` with the numbers
 */
export function refuseRemoval (resource: Resource, row: Row): void {
  const { kept, called, dependents } = resource
  const [closed] = closedProblem(row['closed'])
  if (closed !== undefined) throw httpError(409, { key: closed.key })
  // What a state forbids, no removal of dependents allows.
  if (kept !== undefined && row['kept'] === true) throw httpError(409, { code: 'conflict', key: kept.key })
  const counted = dependents.map((link, index): Link & { count: number } => ({ ...link, count: row[`count_${index}`] }))
    .filter(({ count }) => count > 0)
  if (counted.length === 0) return
  const inEach = (text: (language: Language) => string): Texts => ({ en: text('en'), es: text('es') })
  throw httpError(409, {
    code: 'protected',
    key: 'protectedRecord',
    values: {
      record: inEach(language => grammars[language].record(called[language])),
      dependents: inEach(language => clauses(language, called[language], counted))
    }
  })
}

/** The kinds of dependents with their numbers: `it has subcontracts (2) or estimates (1)`. */
function clauses (language: Language, noun: string, counted: Array<Link & { count: number }>): string {
  const { has, uses, or } = grammars[language]
  const list = (texts: string[]) =>
    texts.reduceRight((rest, text, index) => `${text}${index === texts.length - 2 ? ` ${or(rest)} ` : ', '}${rest}`)
  const parts = counted.filter(({ isPart }) => isPart).map(({ called, count }) => `${called[language]} (${count})`)
  const users = counted.filter(({ isPart }) => !isPart).map(({ called, count }) => uses(called[language], count, noun))
  return list([...parts.length === 0 ? [] : [has(list(parts))], ...users])
}
