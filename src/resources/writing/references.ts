import { idType } from '../declaration/conditions.ts'
import type { Reference, Resource } from '../declaration/resource.ts'

/** The parameter columns of a query for references: an id and a name each. */
export function referenceColumns (resource: Resource): Array<readonly [string, string]> {
  return Object.keys(resource.references).flatMap(field => [[`${field}_id`, idType], [`${field}_name`, 'text']] as const)
}

/** SQL for the id of the record that a row of `q` refers to, or null. Two lookups by index: with an `or` the planner would read whole tables. */
export function lookUp (field: string, { resource, byName }: Reference): string {
  const by = (column: string, value: string) => `(select r.id from ${resource} r where r.company_id = q.company and r.${column} = q.${value})`
  return byName === undefined ? by('id', `${field}_id`) : `coalesce(${by('id', `${field}_id`)}, ${by(byName, `${field}_name`)})`
}

/** SQL over `q` for the ids of all of a resource's references, each as `found_<field>`. */
export function foundReferences ({ references }: Resource): string[] {
  return Object.entries(references).map(([field, reference]) => `${lookUp(field, reference)} as found_${field}`)
}

/** Conditions over a `q` that has {@link foundReferences}: each reference that is given is found. */
export function referencesFound ({ references }: Resource): string[] {
  return Object.keys(references).map(field => `(q.found_${field} is not null or (q.${field}_id is null and q.${field}_name is null))`)
}
