import type { Row } from '../../database/connection/sql.ts'
import { requestRows, type BatchRequest, type BatchQuery, type Turns, idType, perResource } from '../../database/turns/batch-requests.ts'
import type { Run } from '../../database/turns/unit-of-work.ts'
import { where } from '../../database/where.ts'
import { httpError, type Problem } from '../../http/errors.ts'
import { areNoted, callerColumn, notedCallers } from './callers.ts'
import { findConflicts } from './conflicts.ts'
import { keyColumns, keyIsNew, scopeOf, storing, type IdempotencyKey, type StoredAnswer } from './idempotency.ts'
import { refusalOf } from './raised.ts'
import { ownProblems, parametersOf, proposed, withIds } from './input.ts'
import { wholeRecord } from '../reading/record.ts'
import { copiedColumns, foundReferences, referenceColumns, referencesFound } from './references.ts'
import { requested, requestingUser, ruleSql, type RuleRecords } from '../declaration/constraint.ts'
import type { Input, Values } from '../declaration/input.ts'
import type { Resource } from '../declaration/resource.ts'
import { uniqueFields } from './unique.ts'
import { newClosedBy, refuseFound, unlessClosed } from './writable.ts'
import { writtenOnce } from './written-once.ts'

/**
 * How records are inserted. `whole`: each by itself; returns all fields. `newKey`: as `whole`, unless an answer is stored under the
 * Idempotency-Key of the request. `all`: all of a statement or none; returns ids. `given`: each by itself with a given id.
 */
type Insert = 'whole' | 'newKey' | 'all' | 'given'

/** The new record of an input, and its own problems. */
export function newRecord (resource: Resource, input: Input): { record: Values, problems: Problem[] } {
  const record = proposed(resource, resource.defaults, input)
  return { record, problems: ownProblems(resource, record, undefined, input) }
}

/**
 * Creates a record.
 * @param id of the record; only it is returned. By default it comes from the sequence.
 * @returns the complete record
 * @throws {ValidationError} with all problems
 */
export async function createRecord ({ read, write }: Turns, resource: Resource, company: number, input: Input, id?: number): Promise<Row> {
  const { record, problems } = newRecord(resource, await withIds(read, resource, company, input))
  const kind = id === undefined ? 'whole' : 'given'
  // A conflict of the first attempt may be gone when it is looked up. Then the next attempt succeeds. If the database skips the record
  // because of a constraint that `findConflicts` does not know, the last attempt makes it name the constraint.
  for (const isStrict of [false, false, true]) {
    try {
      const [created] = problems.length === 0 ? await write(insertion(resource, company, record, kind, id, isStrict)) : []
      if (created !== undefined) return created
    } catch (error) {
      throw await refusalOf(error, { read, resource, company, record })
    }
    const found = await findConflicts(read, resource, company, record)
    refuseFound(problems, found)
  }
  throw httpError(409)
}

/** A key without a stored answer, and the function that makes the answer. */
export interface NewKey {
  key: IdempotencyKey
  answer: (record: Row) => StoredAnswer
}

/**
 * Creates a record in the write turn, and stores the answer under its key in the same transaction.
 * @returns undefined if nothing is written, because the key is known or the record is not valid at present
 * @throws errors of the turn
 */
export async function createWithNewKey (
  { read, write }: Turns, resource: Resource, company: number, input: Input, { key, answer }: NewKey
): Promise<StoredAnswer | undefined> {
  const { record, problems } = newRecord(resource, await withIds(read, resource, company, input))
  if (problems.length > 0) return undefined
  let stored: StoredAnswer | undefined
  await write({
    query: newKeyQuery(resource),
    company,
    values: [...parametersOf(resource, record), ...scopeOf(key)],
    followUp ([created]) {
      stored = created && answer(created)
      return stored && storing(key, stored)
    }
  })
  return stored
}

/**
 * The request that inserts a record. It returns no row on a conflict.
 * @param id of a record with a given one
 * @param isStrict fails with the error of the database on a conflict with a unique value or an exclusion
 */
export function insertion (
  resource: Resource, company: number, record: Values, insert: Exclude<Insert, 'newKey'>, id?: number, isStrict = false
): BatchRequest {
  return { query: (isStrict ? strictQueries : queries)[insert](resource), company, values: [...parametersOf(resource, record), id] }
}

/** The records of a rule in a statement of new records. */
const newOnes: RuleRecords = { id: `null::${idType}`, caller: requestingUser, after: requested, before: () => 'null' }

const ids: Record<Insert, (resource: Resource) => string> = {
  whole: ({ name }) => `nextval('${name}_id_seq')`,
  newKey: ({ name }) => `nextval('${name}_id_seq')`,
  all: ({ name }) => `nextval('${name}_id_seq')`,
  given: () => 'q.given_id'
}

/**
 * Inserts the rows that fit and skips the others, so that a conflict of one request does not fail another. Ids are drawn last, so that a
 * refused create uses none.
 */
const createQuery = (insert: Insert, isStrict: boolean) => perResource((resource: Resource): BatchQuery => {
  const { name, clashes } = resource
  const fields = Object.keys(resource.columns)
  const references = Object.entries(resource.references)
  const columns: Array<readonly [string, string]> = [...Object.entries(resource.columns), ...referenceColumns(resource)]
  if (insert === 'given') columns.push(['given_id', idType])
  if (insert === 'newKey') columns.push(...keyColumns)
  columns.push(callerColumn)
  const { nth, first } = writtenOnce(resource)
  const conditions = [
    ...referencesFound(resource),
    ...uniqueFields(resource).map(({ taken }) => `not ${taken}`),
    ...resource.constraints.filter(({ only, raised }) => only !== 'changed' && raised !== true)
      .map(({ sql }) => `(${ruleSql(sql, newOnes)}) is not true`),
    ...unlessClosed(newClosedBy(resource)),
    ...insert === 'newKey' ? [keyIsNew] : []
  ]
  const among = clashes === undefined ? [] : [`(${ruleSql(clashes, newOnes)}) as clashes`]
  const fits = [...clashes === undefined ? [] : ['q.clashes is not true'], ...first]
  const allOrNone = '(select * from fitting order by i) q where (select count(*) from fitting) = (select count(*) from resolved)'
  const copies = resource.copies.map(({ column }) => column)
  const into = ['id', 'company_id', ...fields, ...references.map(([, { column }]) => column), ...copies]
  const from = ['id', 'company', ...fields, ...references.map(([field]) => `found_${field}`), ...copies]
  const answer = insert === 'whole' || insert === 'newKey'
    ? { columns: wholeRecord(resource), joins: `${resource.joinsOfNew ?? resource.joins} ${resource.detailJoins}` }
    : { columns: 't.id', joins: '' }
  return {
    name: `${name} create ${insert}${isStrict ? ' strictly' : ''}`,
    columns,
    text: `
      with resolved as materialized (
        select ${['q.*', ...foundReferences(resource), ...copiedColumns(resource)].join(', ')}
        from ${requestRows(columns)}),
      considered as materialized (
        select ${['q.*', ...among, ...nth].join(', ')}
        from resolved q
        ${where(conditions)}),
      fitting as materialized (select q.* from considered q ${where(fits)}),
      admissible as materialized (select ${ids[insert](resource)} as id, q.* from ${insert === 'all' ? allOrNone : 'fitting q'}),
      ${notedCallers(name)},
      t as (
        insert into ${name} (${into.join(', ')})
        select ${from.join(', ')} from admissible order by i
        ${isStrict ? '' : 'on conflict do nothing'}
        returning *)
      select admissible.i, ${answer.columns}
      -- A full join, which is always hashed. By its estimate of one row, the planner would compare each new row with each.
      from t full join admissible on admissible.id = t.id ${answer.joins}
      where coalesce(admissible.id, t.id) = coalesce(t.id, 0) and ${areNoted}`
  }
})

const queriesOf = (isStrict: boolean) => ({
  whole: createQuery('whole', isStrict),
  all: createQuery('all', isStrict),
  given: createQuery('given', isStrict)
})
const [queries, strictQueries] = [queriesOf(false), queriesOf(true)]
const newKeyQuery = createQuery('newKey', false)

/** Draws ids for new records from the sequence. */
export async function drawIds (run: Run, { name }: Resource, count: number): Promise<number[]> {
  const rows = await run({
    name: `${name} ids`, text: `select nextval('${name}_id_seq') as id from generate_series(1, $1::int)`, values: [count]
  })
  return rows.map(({ id }) => id)
}
