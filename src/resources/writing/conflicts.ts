import type { Row } from '../../database/connection/sql.ts'
import { requestRows, type BatchRequest, type BatchQuery, idType, perResource } from '../../database/turns/batch-requests.ts'
import { keyedRow } from '../../database/turns/keyed-row.ts'
import type { Problem } from '../../http/errors.ts'
import { callerColumn } from './callers.ts'
import { missing } from './constraint-errors.ts'
import { parametersOf } from './input.ts'
import { copiedColumns, lookUp, referenceColumns } from './references.ts'
import { columnsBefore, requested, requestingUser, ruleSql, type RuleRecords } from '../declaration/constraint.ts'
import type { Values } from '../declaration/input.ts'
import type { Resource } from '../declaration/resource.ts'
import { uniqueFields, uniqueNames } from './unique.ts'
import { changeClosedBy, closedProblem, newClosedBy } from './writable.ts'

/**
 * Finds conflicts of a record with the company's data in one statement: taken unique values, missing references and failed constraints.
 * @param values the record after the write. Missing fields are not checked.
 * @param self id of the record, if it exists
 */
export async function findConflicts (
  read: (request: BatchRequest) => Promise<Row[]>, resource: Resource, company: number, values: Values, self?: number
): Promise<Problem[]> {
  const [row] = await read({ query: conflictsQuery(resource), company, values: [self, ...parametersOf(resource, values)] })

  const problems: Problem[] = []
  for (const field of uniqueNames(resource)) {
    if (values[field] != null && row[`${field}_taken`] === true) problems.push({ field, key: 'unique' })
  }
  for (const field of Object.keys(resource.references)) {
    if (values[field] != null && row[`${field}_id`] === null) problems.push(missing(resource, field, values[field]))
  }
  for (const [index, { field, key, values }] of resource.constraints.entries()) {
    // Two rules can have one meaning.
    const isKnown = problems.some(problem => problem.field === field && problem.key === key)
    if (row[`constraint_${index}`] === true && !isKnown) problems.push({ field, key, ...values === undefined ? {} : { values } })
  }
  return [...closedProblem(row['closed']), ...problems]
}

/** SQL over `q`, before a condition that only some records can meet. */
const concerns = { new: 'q.self is null and ', changed: 'q.self is not null and ' }

/** The records of a rule in a statement over `q` with the stored record, `o`. */
const records: RuleRecords = { id: 'q.self', caller: requestingUser, after: requested, before: column => `o.${column}` }

const conflictsQuery = perResource((resource: Resource): BatchQuery => {
  const before = columnsBefore(resource.constraints)
  const stored = keyedRow('id', { table: resource.name, as: 'o', select: before.map(column => `o.${column}`).join(', '), value: 'q.self' })
  const columns: Array<readonly [string, string]> = [
    ['self', idType], ...Object.entries(resource.columns), ...referenceColumns(resource), callerColumn
  ]
  const looked = [
    ...uniqueFields(resource, 'o.id is distinct from q.self').map(({ field, taken }) => `${taken} as ${field}_taken`),
    ...Object.entries(resource.references).map(([field, reference]) => `${lookUp(field, reference)} as ${field}_id`),
    ...resource.constraints.map(({ sql, only }, index) =>
      `${only === undefined ? '' : concerns[only]}(${ruleSql(sql, records)}) as constraint_${index}`),
    `case when q.self is null then ${newClosedBy(resource) ?? 'null'} else ${changeClosedBy(resource, 'q.self') ?? 'null'} end as closed`
  ]
  return {
    columns,
    name: `${resource.name} conflicts`,
    text: `
      with resolved as (select ${['q.*', ...copiedColumns(resource)].join(', ')} from ${requestRows(columns)})
      select q.i, ${looked.join(', ')}
      from resolved q${before.length === 0 ? '' : ` left join lateral ${stored} o on true`}`
  }
})
