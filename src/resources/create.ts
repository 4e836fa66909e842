import type { Row } from '../database/sql.ts'
import { asked, type Shape, type Turns } from '../database/turns.ts'
import { ApiError, refuse } from '../errors.ts'
import { checkFacts } from './facts.ts'
import { proposed, type Input } from './input.ts'
import { wholeRecord } from './record.ts'
import { foundReferences, referenceColumns, referencesFound, referenceValues } from './references.ts'
import type { Resource, Values } from './resource.ts'
import { perResource } from './shapes.ts'

/** What a create answers with. */
type Told = 'whole' | 'id'

/**
 * Creates a record.
 * @param told whether all of it is wanted, which may cost as much as to make it, or its `id` alone
 * @returns it
 * @throws {ValidationError} with everything that is wrong
 */
export async function createRecord ({ read, write }: Turns, resource: Resource, company: number, input: Input, told: Told = 'whole'): Promise<Row> {
  const record = proposed(resource, resource.defaults, input)
  const problems = [...input.problems, ...resource.rules(record, undefined, input.values)]
  // What was in the way of the first attempt may be gone when it is looked at: then the second one succeeds.
  for (let attempt = 1; attempt <= 3; attempt++) {
    const created = problems.length === 0 ? await insertRecord(write, resource, company, record, told) : undefined
    if (created !== undefined) return created
    const facts = await checkFacts(read, resource, company, record)
    refuse([...problems, ...facts])
  }
  throw new ApiError(409, 'conflict', 'conflict')
}

/** @returns the new record, or undefined when something stood in its way: then nothing was created */
async function insertRecord (ask: Turns['write'], resource: Resource, company: number, record: Values, told: Told): Promise<Row | undefined> {
  const values = Object.keys(resource.columns).map(field => record[field])
  for (const field of Object.keys(resource.references)) values.push(...referenceValues(record[field]))
  const [row] = await ask({ shape: shapes[told](resource), company, values })
  return row
}

/**
 * Inserts what fits and passes over what does not, so that one request's conflict is not another's. The ids are drawn
 * first: they tell which row is whose. A statement does not see what it inserts: sums over the table read both.
 */
const createShape = (told: Told) => perResource((resource: Resource): Shape => {
  const fields = Object.keys(resource.columns)
  const references = Object.entries(resource.references)
  const columns: Array<readonly [string, string]> = [...Object.entries(resource.columns), ...referenceColumns(resource)]
  const unopposed = resource.obstacles.map(({ sql }) => `(${sql.replaceAll('q.self', 'null::int')}) is not true`)
  const into = ['id', 'company_id', ...fields, ...references.map(([, { column }]) => column)]
  const from = ['id', 'company', ...fields, ...references.map(([field]) => `found_${field}`)]
  return {
    name: `${resource.name} create ${told}`,
    columns,
    text: `
      with resolved as materialized (select ${['q.*', ...foundReferences(resource)].join(', ')} from ${asked(columns)}),
      admissible as materialized (
        select nextval('${resource.name}_id_seq')::int as id, q.* from resolved q where ${['true', ...referencesFound(resource), ...unopposed].join(' and ')}),
      t as (
        insert into ${resource.name} (${into.join(', ')})
        select ${from.join(', ')} from admissible order by i
        on conflict do nothing
        returning *)
      ${told === 'whole' && resource.sums === true ? `, ${resource.name} as not materialized (table ${resource.name} union all table t)` : ''}
      select admissible.i, ${told === 'id' ? 't.id' : wholeRecord(resource)}
      from t join admissible on admissible.id = t.id ${told === 'id' ? '' : `${resource.joins} ${resource.detailJoins}`}`
  }
})

const shapes = { whole: createShape('whole'), id: createShape('id') }
