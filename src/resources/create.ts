import type { Row } from '../database/sql.ts'
import { asked, type Ask, type Shape } from '../database/turns.ts'
import { referenceValues } from './facts.ts'
import type { Resource, Values } from './resource.ts'

const shapes = new WeakMap<Resource, Shape>()

/**
 * Creates a record in the write turn.
 * @returns the whole new record, or undefined when a value was taken or a reference absent: then nothing was created
 */
export async function createRecord (ask: (ask: Ask) => Promise<Row[]>, resource: Resource, company: number, given: Values): Promise<Row | undefined> {
  const record = { ...resource.defaults, ...given }
  const values = Object.keys(resource.columns).map(field => record[field])
  for (const field of Object.keys(resource.references)) values.push(...referenceValues(record[field]))
  const [row] = await ask({ shape: createShape(resource), company, values })
  return row
}

/**
 * Inserts what fits and passes over what does not, so that one request's conflict is not another's. The ids are drawn
 * first: they tell which row is whose.
 */
function createShape (resource: Resource): Shape {
  let shape = shapes.get(resource)
  if (shape === undefined) {
    const columns: Array<readonly [string, string]> = Object.entries(resource.columns)
    const joins: string[] = []
    const resolved: string[] = []
    const admissible: string[] = ['true']
    for (const [field, { resource: table, byName }] of Object.entries(resource.references)) {
      columns.push([`${field}_id`, 'int'], [`${field}_name`, 'text'])
      const named = byName === undefined ? '' : ` or ref_${field}.${byName} = q.${field}_name`
      joins.push(`left join ${table} ref_${field} on ref_${field}.company_id = q.company and (ref_${field}.id = q.${field}_id${named})`)
      resolved.push(`ref_${field}.id as ref_${field}`)
      admissible.push(`(ref_${field}.id is not null or coalesce(q.${field}_id::text, q.${field}_name) is null)`)
    }
    const fields = Object.keys(resource.columns)
    const references = Object.entries(resource.references)
    const into = ['id', 'company_id', ...fields, ...references.map(([, { column }]) => column)]
    const from = ['id', 'company', ...fields, ...references.map(([field]) => `ref_${field}`)]
    shape = {
      name: `${resource.name} create`,
      columns,
      text: `
        with admissible as materialized (
          select nextval('${resource.name}_id_seq')::int as id, q.i, q.company, ${fields.map(field => `q.${field}`).join(', ')}${resolved.map(sql => `, ${sql}`).join('')}
          from ${asked(columns)} ${joins.join(' ')}
          where ${admissible.join(' and ')}),
        t as (
          insert into ${resource.name} (${into.join(', ')})
          select ${from.join(', ')} from admissible order by i
          on conflict do nothing
          returning *)
        select admissible.i, ${resource.item}, ${resource.detail}
        from t join admissible on admissible.id = t.id ${resource.joins}`
    }
    shapes.set(resource, shape)
  }
  return shape
}
