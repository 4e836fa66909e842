import { referencesOf, shownReferencesOf } from './edit.ts'
import { withLocalIds } from './records.ts'
import { descriptionOf } from './descriptions.ts'
import { resources, usual } from './resources.ts'
import type { Edit, Values } from './edit.ts'
import type { LocalIds, Scope, State } from './scope.ts'

export type Name = Pick<Edit, 'resource' | 'record'>
/** A record with the ids of this device. */
type Referring = { resource: string, values: Values }

/** The records of a copy that refer to a record. */
export async function referringIn (scope: Scope, generation: number, name: Name, localIdOf: LocalIds) {
  const found: Referring[] = []
  for (const resource of Object.keys(resources)) {
    if (!Object.values(referencesOf(resource)).some(reference => reference.resource === name.resource)) continue
    const entries = await scope.list<Values>(scope.recordsPrefix(generation, resource))
    found.push(...entries.map(([, values]) => ({ resource, values: withLocalIds(resource, values, localIdOf) })))
  }
  return found.filter(one => refersTo(one, name))
}

/** The new records among edits that refer to a record, with their references only. */
export function referringAmong (edits: Edit[], name: Name, localIdOf: LocalIds) {
  return edits.filter(({ op }) => op === 'create').map(({ resource, record, body = {} }) => {
    const given = Object.entries(referencesOf(resource)).filter(([field]) => body[field] != null)
    const ids = given.map(([field, reference]) => [reference.field, localIdOf(reference.resource, body[field])])
    const values: Values = { ...Object.fromEntries(ids), id: record }
    return { resource, values }
  }).filter(one => refersTo(one, name))
}

/** The names of a record and of the records that it refers to, as `resource/id`. */
export function namesIn ({ resource, values }: Referring) {
  return [`${resource}/${values['id']}`, ...shownReferencesOf(resource).map(([field, other]) => `${other}/${values[field]}`)]
}

/**
 * Versions of the parts of a record, by `resource/id`, see {@link isPartOf}.
 * @param resource of the record
 */
export function partsIn (referring: Referring[], resource: string): Record<string, number> {
  const parts = referring.filter(one => isPartOf(one.resource, resource))
  return Object.fromEntries(parts.map(({ resource, values }) => [`${resource}/${values['id']}`, values['version']]))
}

/**
 * Whether the copy has the resources of the parts of a record.
 * @param resource of the record
 */
export function hasParts ({ copy, next }: State, resource: string) {
  const selected: readonly string[] = (copy ?? next)?.selection?.resources ?? usual
  return Object.keys(resources).every(name => selected.includes(name) || !isPartOf(name, resource))
}

/**
 * Whether records of a resource are parts of another one's: they always refer to one of its records, and are removed with it. Attachments
 * need not belong to a record.
 */
function isPartOf (part: string, resource: string) {
  const { defaults } = descriptionOf(part)
  return Object.entries(referencesOf(part)).some(([field, reference]) => (
    reference.resource === resource && reference.onDelete === 'cascade' && !(field in defaults)))
}

function refersTo ({ resource, values }: Referring, name: Name) {
  return Object.values(referencesOf(resource)).some(reference => (
    reference.resource === name.resource && values[reference.field] === name.record))
}
