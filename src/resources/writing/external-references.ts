import type { Row } from '../../database/connection/sql.ts'
import { keyedRow } from '../../database/turns/keyed-row.ts'
import { requestRows, type BatchQuery, type BatchRequest } from '../../database/turns/requests.ts'
import type { Input } from '../declaration/input.ts'
import type { Resource } from '../declaration/resource.ts'

/** A reference to a record by its id in another system. */
interface ExternalReference {
  external_id: string
}

/** The external ids by which an input refers to records. */
function externalIds ({ references }: Pick<Resource, 'references'>, { values }: Input): Array<{ field: string, id: string }> {
  return Object.keys(references).flatMap((field) => {
    const value = values[field]
    return isExternal(value) ? [{ field, id: value.external_id }] : []
  })
}

/** Whether the validated value of a reference names the record by `external_id`. */
function isExternal (value: unknown): value is ExternalReference {
  return typeof value === 'object' && value !== null
}

/** The external ids by which an input refers to records of its own resource. Earlier writes can create these. */
export function ownExternalIds (resource: Pick<Resource, 'name' | 'references'>, input: Input): string[] {
  return externalIds(resource, input).filter(({ field }) => resource.references[field].resource === resource.name).map(({ id }) => id)
}

/** An input without the external references to the own resource that `given` has: these records are not known yet. */
export function withoutOwn (resource: Pick<Resource, 'name' | 'references'>, { values, problems }: Input, given: Input): Input {
  const isOwn = (field: string) => resource.references[field]?.resource === resource.name && isExternal(given.values[field])
  return { values: Object.fromEntries(Object.entries(values).map(([field, value]) => [field, isOwn(field) ? undefined : value])), problems }
}

/**
 * An input with ids in place of `{"external_id": …}`. A field whose record does not exist has a problem instead.
 * @param read reads rows of the company
 */
export async function withIds (read: (request: BatchRequest) => Promise<Row[]>, resource: Pick<Resource, 'references'>, company: number, input: Input): Promise<Input> {
  const externals = externalIds(resource, input)
  if (externals.length === 0) return input
  const values = { ...input.values }
  const problems = [...input.problems]
  await Promise.all(externals.map(async ({ field, id }) => {
    const [row] = await read({ query: queryOf(resource.references[field].resource), company, values: [id] })
    if (row === undefined) problems.push({ field, key: 'nameDoesNotExist', values: { slug_name: 'external_id', value: id } })
    if (row === undefined) delete values[field]
    else values[field] = row['id']
  }))
  return { values, problems }
}

/** The queries by table, each made once, because a prepared statement always has the same text. */
const queries = new Map<string, BatchQuery>()

function queryOf (table: string): BatchQuery {
  const known = queries.get(table)
  if (known !== undefined) return known
  const columns = [['external_id', 'text']] as const
  const query = {
    name: `${table} by external id`,
    columns,
    text: `
      select q.i, t.company_id as company, t.id
      from ${requestRows(columns)}
      cross join lateral ${keyedRow('external_id', { table, select: 't.company_id, t.id', value: 'q.external_id' })} t`
  }
  queries.set(table, query)
  return query
}
