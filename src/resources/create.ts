import type { Row } from '../database/sql.ts'
import { asked, type Ask, type Shape } from '../database/turns.ts'
import { wholeRecord } from './record.ts'
import { lookUp, referenceColumns, referenceValues } from './references.ts'
import type { Resource, Values } from './resource.ts'

const shapes = new WeakMap<Resource, Shape>()

/**
 * Creates a record in the write turn.
 * @param record the values of all its fields, defaults included
 * @returns the whole new record, or undefined when a value was taken or a reference absent: then nothing was created
 */
export async function createRecord (ask: (ask: Ask) => Promise<Row[]>, resource: Resource, company: number, record: Values): Promise<Row | undefined> {
  const values = Object.keys(resource.columns).map(field => record[field])
  for (const field of Object.keys(resource.references)) values.push(...referenceValues(record[field]))
  const [row] = await ask({ shape: createShape(resource), company, values })
  return row
}

/**
 * Inserts what fits and passes over what does not, so that one request's conflict is not another's. The ids are drawn
 * first: they tell which row is whose. A statement does not see what it inserts: sums over the table read both.
 */
function createShape (resource: Resource): Shape {
  let shape = shapes.get(resource)
  if (shape === undefined) {
    const fields = Object.keys(resource.columns)
    const references = Object.entries(resource.references)
    const columns: Array<readonly [string, string]> = [...Object.entries(resource.columns), ...referenceColumns(resource)]
    const found = references.map(([field, reference]) => `${lookUp(field, reference)} as found_${field}`)
    const given = references.map(([field]) => `(found_${field} is not null or (${field}_id is null and ${field}_name is null))`)
    const unopposed = resource.obstacles.map(({ sql }) => `(${sql.replaceAll('q.self', 'null::int')}) is not true`)
    const into = ['id', 'company_id', ...fields, ...references.map(([, { column }]) => column)]
    const from = ['id', 'company', ...fields, ...references.map(([field]) => `found_${field}`)]
    shape = {
      name: `${resource.name} create`,
      columns,
      text: `
        with resolved as materialized (select ${['q.*', ...found].join(', ')} from ${asked(columns)}),
        admissible as materialized (
          select nextval('${resource.name}_id_seq')::int as id, q.* from resolved q where ${['true', ...given, ...unopposed].join(' and ')}),
        t as (
          insert into ${resource.name} (${into.join(', ')})
          select ${from.join(', ')} from admissible order by i
          on conflict do nothing
          returning *)
        ${resource.sums === true ? `, ${resource.name} as not materialized (table ${resource.name} union all table t)` : ''}
        select admissible.i, ${wholeRecord(resource)}
        from t join admissible on admissible.id = t.id ${resource.joins} ${resource.detailJoins}`
    }
    shapes.set(resource, shape)
  }
  return shape
}
