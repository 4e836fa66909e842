import { isLocalId, referencesOf, referredIn } from './edit.js'

/** @import { Edit, Mutation, Values } from './edit.js' */
/** @import { ServerId } from './scope.js' */

/**
 * The times of creation of the records that a mutation names by the server's ids.
 * @param {Edit} edit
 * @param {Map<string, ServerId>} serverIds
 */
export function createdAtOf (edit, serverIds) {
  return Object.fromEntries([edit.record, ...referredIn(edit)].flatMap((id) => {
    const shown = isLocalId(id) ? serverIds.get(id) : undefined
    return shown?.created === undefined ? [] : [[`${shown.resource}/${shown.id}`, shown.created]]
  }))
}

/**
 * The mutation of an edit, with the server's ids.
 * @param {Edit} edit
 * @param {Map<string, ServerId>} serverIds
 * @returns {Mutation}
 */
export function mutationOf ({ number, op, resource, record, base, body, version }, serverIds) {
  /** A restore can give the id of a record that no copy has shown to another one. */
  const shownId = (/** @type {string} */ id) => serverIds.get(id)?.created === undefined ? undefined : serverIds.get(id)?.id
  const idOf = (/** @type {unknown} */ id) => isLocalId(id) ? shownId(id) ?? { ref: id } : id
  const references = referencesOf(resource)
  const withIds = (/** @type {Values | undefined} */ values) => values && Object.fromEntries(
    Object.entries(values).map(([field, value]) => [field, field in references ? idOf(value) : value]))
  const shared = { id: number, op, resource: /** @type {Mutation['resource']} */ (resource), ...body && { body: withIds(body) } }
  if (op === 'create') return { ...shared, ref: String(record) }
  const target = { ...shared, record: /** @type {Mutation['record']} */ (idOf(record)) }
  return op === 'update' ? { ...target, base: withIds(base) ?? {} } : { ...target, ...version !== undefined && { version } }
}
