import { keyedRow } from '../../database/turns/keyed-row.ts'
import { idType } from '../../database/turns/batch-requests.ts'
import type { Reference } from '../declaration/link.ts'
import type { Resource } from '../declaration/resource.ts'

type References = Pick<Resource, 'references'>

/** Parameter columns of a query for references: an id and a name each. */
export function referenceColumns ({ references }: References): Array<readonly [string, string]> {
  return Object.keys(references).flatMap(field => [[`${field}_id`, idType], [`${field}_name`, 'text']] as const)
}

/**
 * SQL of the id of the record that a row of `q` refers to, or null. Two index lookups, because the planner would read whole tables for an
 * `or`.
 */
export function lookUp (field: string, { resource, byName }: Reference): string {
  const by = (column: string, value: string) => keyedRow(column, { table: resource, as: 'r', select: 'r.id', value: `q.${value}` })
  return byName === undefined ? by('id', `${field}_id`) : `coalesce(${by('id', `${field}_id`)}, ${by(byName, `${field}_name`)})`
}

/** SQL over `q` of the ids of a resource's references, each as `found_<field>`. */
export function foundReferences ({ references }: References): string[] {
  return Object.entries(references).map(([field, reference]) => `${lookUp(field, reference)} as found_${field}`)
}

/** SQL over `q` of the columns that a new record copies from its parents. */
export function copiedColumns ({ copies }: Pick<Resource, 'copies'>): string[] {
  return copies.map(({ column, via, table, source }) =>
    `${keyedRow('id', { table, as: 'r', select: `r.${source}`, value: `q.${via}_id` })} as ${column}`)
}

/** Conditions over `q` with {@link foundReferences}: every given reference is found. */
export function referencesFound ({ references }: References): string[] {
  return Object.keys(references).map(field => `(q.found_${field} is not null or (q.${field}_id is null and q.${field}_name is null))`)
}
