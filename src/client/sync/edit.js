import { resources } from './resources.js'

/** @import { components } from '../index.d.ts' */
/** @import { Id } from './index.d.ts' */
/** @typedef {Record<string, any>} Values */
/** @typedef {components['schemas']['Mutation']} Mutation */
/** @typedef {components['schemas']['MutationResult']} Result */

/**
 * Why this device has refused an edit itself, or set it apart.
 * - `removed`: it refers to a record that was removed here
 * - `lost`: the server was restored and no longer has a record that it names
 * - `unknown`: the server was restored, and the copy cannot show whether it has a record that it names
 * - `proxy`: it did not reach the server
 * @typedef {'removed' | 'lost' | 'unknown' | 'proxy'} Reason
 */

/**
 * What the user saw of a record before its removal, and the edits that the removal must wait for (`removals.js`).
 * @typedef {object} Seen
 * @property {string[]} after records with earlier edits that can raise the version
 * @property {Values} [record] the server's record
 * @property {Record<string, number>} parts versions of the records that the server removes with it
 */

/**
 * An edit of this device. References in `base` and `body` are ids of the device.
 * - `queued`: not sent yet, can still change
 * - `sent`: its mutation is fixed and is sent until the server answers
 * - `accepted`: until the records show it
 * - `conflict`, `refused`: until the app resolves it
 * - `blocked`: set apart, because a proxy does not let it through. The server can have it nevertheless
 * @typedef {object} Edit
 * @property {number} number id of its mutation
 * @property {'create' | 'update' | 'delete'} op
 * @property {string} resource
 * @property {Id} record
 * @property {Values} [base] previous values of the fields in `body`
 * @property {Values} [body]
 * @property {number} [version] version that a removal expects
 * @property {Seen} [seen] what the user saw, if earlier edits of other records can raise the version that a removal expects
 * @property {Record<string, string>} [createdAt] times of creation of the server's records that it names, by `resource/id`: on a restored
 *   server, an id can belong to another record
 * @property {'queued' | 'sent' | 'accepted' | 'conflict' | 'refused' | 'blocked'} status
 * @property {Mutation} [mutation]
 * @property {Result & { reason?: Reason }} [result] `reason`: if this device refuses the edit itself
 * @property {number} [failures] synchronizations in which its mutation failed, and others did not
 * @property {number} [blockedAt] when it was blocked, in ms since 1970
 */

/**
 * The references of a resource: fields of bodies, with resource and field of records.
 * @param {string} resource
 * @returns {Record<string, { resource: string, field: string, onDelete?: 'cascade' }>}
 */
export function referencesOf (resource) {
  return resources[/** @type {keyof typeof resources} */ (resource)].references
}

/**
 * The references in records of a resource: fields with the resource of the record that they name.
 * @param {string} resource
 * @returns {Array<[field: string, resource: string]>}
 */
export function shownReferencesOf (resource) {
  /** @type {{ references: object, shown?: Record<string, string> }} */
  const { shown = {} } = resources[/** @type {keyof typeof resources} */ (resource)]
  const written = Object.values(referencesOf(resource)).map(({ resource, field }) => /** @type {[string, string]} */ ([field, resource]))
  return [...written, ...Object.entries(shown)]
}

/** Whether an id was made by this device. A text can also be the name of a record. @param {unknown} id @returns {id is string} */
export function isLocalId (id) {
  return typeof id === 'string' && /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/.test(id)
}

/** Whether an edit waits for the app. @param {Pick<Edit, 'status'>} edit */
export function isOpen ({ status }) {
  return status === 'conflict' || status === 'refused' || status === 'blocked'
}

/** Whether the server does not have the edit, and cannot get it meanwhile. @param {Edit} edit */
export function isChangeable ({ status }) {
  return status === 'queued' || isOpen({ status })
}

/** The ids of records created on this device that an edit refers to. @param {Edit} edit @returns {string[]} */
export function referredIn ({ resource, body = {}, base = {} }) {
  return Object.keys(referencesOf(resource)).flatMap(field => [body[field], base[field]]).filter(isLocalId)
}

/**
 * The version of a record after accepted edits. Each one raises it by at most one. If it has become higher, another device has changed the
 * record too, and the user has not seen that.
 * @param {number | undefined} version that the user saw; undefined for a new record
 * @param {Edit[]} edits of the record, in order
 */
export function versionAfter (version, edits) {
  return edits.reduce((known, { result }) => {
    const next = result?.record?.version
    return next !== undefined && (known === undefined || next === known + 1) ? next : known
  }, version)
}

/** @param {Values} values @param {(field: string) => boolean} isKept @returns {Values} */
export function only (values, isKept) {
  return Object.fromEntries(Object.entries(values).filter(([field]) => isKept(field)))
}
