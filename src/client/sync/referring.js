import { referencesOf, shownReferencesOf } from './edit.js'
import { withLocalIds } from './records.js'
import { resources, usual } from './resources.js'

/** @import { Edit, Values } from './edit.js' */
/** @import { LocalIds, Scope, State } from './scope.js' */
/** @typedef {Pick<Edit, 'resource' | 'record'>} Name */
/** @typedef {{ resource: string, values: Values }} Referring a record with the ids of this device */

/**
 * The records of a copy that refer to a record.
 * @param {Scope} scope
 * @param {number} generation
 * @param {Name} name
 * @param {LocalIds} localIdOf
 */
export async function referringIn (scope, generation, name, localIdOf) {
  /** @type {Referring[]} */
  const found = []
  for (const resource of Object.keys(resources)) {
    if (!Object.values(referencesOf(resource)).some(reference => reference.resource === name.resource)) continue
    const entries = /** @type {Array<[string, Values]>} */ (await scope.transaction.list(scope.recordsPrefix(generation, resource)))
    found.push(...entries.map(([, values]) => ({ resource, values: withLocalIds(resource, values, localIdOf) })))
  }
  return found.filter(one => refersTo(one, name))
}

/**
 * The new records among edits that refer to a record, with their references only.
 * @param {Edit[]} edits
 * @param {Name} name
 * @param {LocalIds} localIdOf
 */
export function referringAmong (edits, name, localIdOf) {
  return edits.filter(({ op }) => op === 'create').map(({ resource, record, body = {} }) => {
    const given = Object.entries(referencesOf(resource)).filter(([field]) => body[field] != null)
    const ids = given.map(([field, reference]) => [reference.field, localIdOf(reference.resource, body[field])])
    return { resource, values: /** @type {Values} */ ({ ...Object.fromEntries(ids), id: record }) }
  }).filter(one => refersTo(one, name))
}

/** The names of a record and of the records that it refers to, as `resource/id`. @param {Referring} referring */
export function namesIn ({ resource, values }) {
  return [`${resource}/${values['id']}`, ...shownReferencesOf(resource).map(([field, other]) => `${other}/${values[field]}`)]
}

/**
 * Versions of the parts of a record, by `resource/id`, see {@link isPartOf}.
 * @param {Referring[]} referring
 * @param {string} resource of the record
 * @returns {Record<string, number>}
 */
export function partsIn (referring, resource) {
  const parts = referring.filter(one => isPartOf(one.resource, resource))
  return Object.fromEntries(parts.map(({ resource, values }) => [`${resource}/${values['id']}`, values['version']]))
}

/**
 * Whether the copy has the resources of the parts of a record.
 * @param {State} state
 * @param {string} resource of the record
 */
export function hasParts ({ copy, next }, resource) {
  const selected = /** @type {readonly string[]} */ ((copy ?? next)?.selection?.resources ?? usual)
  return Object.keys(resources).every(name => selected.includes(name) || !isPartOf(name, resource))
}

/**
 * Whether records of a resource are parts of another one's: they always refer to one of its records, and are removed with it. Attachments
 * need not belong to a record.
 * @param {string} part
 * @param {string} resource
 */
function isPartOf (part, resource) {
  const { defaults } = resources[/** @type {keyof typeof resources} */ (part)]
  return Object.entries(referencesOf(part)).some(([field, reference]) => (
    reference.resource === resource && reference.onDelete === 'cascade' && !(field in defaults)))
}

/** @param {Referring} referring @param {Name} name */
function refersTo ({ resource, values }, name) {
  return Object.values(referencesOf(resource)).some(reference => (
    reference.resource === name.resource && values[reference.field] === name.record))
}
