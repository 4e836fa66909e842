import { referencesOf, shownReferencesOf } from './edit.js'
import { resources } from './resources.js'

/** @import { Id, SyncState } from './index.d.ts' */
/** @import { Edit, Values } from './edit.js' */
/** @import { LocalIds } from './scope.js' */
/** @typedef {Values & { id: Id, sync: SyncState }} Shown */

/**
 * A record as the app sees it: the server's record with the edits of this device. Undefined if it does not exist.
 * @param {string} resource
 * @param {Id} id
 * @param {Values | undefined} server with ids of this device
 * @param {Edit[]} edits of this record
 * @param {number} company
 * @returns {Shown | undefined}
 */
export function withEdits (resource, id, server, edits, company) {
  let record = server
  for (const { op, body = {}, status, result } of edits) {
    if (op === 'create') {
      record ??= { company, ...fieldsOf(resource, { ...resources[/** @type {keyof typeof resources} */ (resource)].defaults, ...body }) }
    } else if (op === 'delete') {
      if (status !== 'refused') record = undefined
    } else if (record !== undefined && !(status === 'accepted' && record['version'] >= (result?.record?.version ?? Infinity))) {
      record = { ...record, ...fieldsOf(resource, body) }
    }
  }
  return record && { ...record, id, sync: syncState(edits) }
}

/** @param {Edit[]} edits @returns {SyncState} */
function syncState (edits) {
  const has = (/** @type {Edit['status'][]} */ ...some) => edits.some(({ status }) => some.includes(status))
  if (has('refused')) return 'refused'
  if (has('conflict')) return 'conflict'
  return has('blocked') ? 'blocked' : has('queued', 'sent') ? 'pending' : 'synced'
}

/** The fields of a record that a body writes. @param {string} resource @param {Values} body */
function fieldsOf (resource, body) {
  const references = referencesOf(resource)
  return Object.fromEntries(Object.entries(body).map(([field, value]) => [references[field]?.field ?? field, value]))
}

/** The values of a record, under the names of a body's fields. @param {string} resource @param {Values} record */
export function bodyOf (resource, record) {
  const shown = Object.entries(referencesOf(resource)).map(([field, { field: name }]) => [field, record[name]])
  return { ...record, ...Object.fromEntries(shown) }
}

/**
 * A record of the server with the ids of this device.
 * @param {string} resource
 * @param {Values} record
 * @param {LocalIds} localIdOf
 * @returns {Values & { id: Id }}
 */
export function withLocalIds (resource, { ref, ...record }, localIdOf) {
  const references = shownReferencesOf(resource).filter(([field]) => record[field] != null)
  const ids = references.map(([field, resource]) => [field, localIdOf(resource, record[field])])
  return { ...record, id: localIdOf(resource, record['id']), ...Object.fromEntries(ids) }
}
