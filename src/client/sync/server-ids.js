import { isLocalId } from './edit.js'

/** @import { Edit, Values } from './edit.js' */
/** @import { Scope, ServerId } from './scope.js' */
/** @typedef {[id: string, serverId: ServerId]} Named a record created here, and its id on the server */

/**
 * Keeps the server's ids of records created here.
 * @param {Scope} scope
 * @param {Named[]} named
 */
export async function keepServerIds (scope, named) {
  await forgetServerIds(scope, named.map(([id]) => id))
  await scope.transaction.write(named.flatMap(([id, serverId]) => [
    [scope.serverIdKey(id), serverId],
    [scope.localIdKey(serverId.resource, serverId.id), id]
  ]))
}

/** @param {Scope} scope @param {string[]} ids */
export async function forgetServerIds (scope, ids) {
  const known = [...await scope.serverIdsOf(ids)]
  const keys = known.map(([, { resource, id }]) => scope.localIdKey(resource, id))
  const owners = await scope.transaction.read(keys)
  // A restored server can have given the id to another record created here.
  const own = keys.filter((_, index) => owners[index] === known[index]?.[0])
  await scope.transaction.write([...known.map(([id]) => scope.serverIdKey(id)), ...own].map(key => [key, undefined]))
}

/**
 * The records that a copy shows under the names that this device has given them.
 * @param {Scope} scope
 * @param {number} generation
 * @returns {Promise<Named[]>}
 */
export async function namedIn (scope, generation) {
  const prefix = scope.recordsPrefix(generation)
  const records = /** @type {Array<[string, Values]>} */ (await scope.transaction.list(prefix))
  return records.flatMap(([key, { ref, id, created_at: created }]) => {
    const [resource = ''] = key.slice(prefix.length).split('/')
    return ref === undefined ? [] : [[ref, { resource, id, created }]]
  })
}

/**
 * The server's records of edits, in their order. A restored server can have created one again under another id than that in an answer.
 * @param {Scope} scope
 * @param {number} generation
 * @param {Edit[]} edits
 * @returns {Promise<Array<Values | undefined>>}
 */
export async function recordsOf (scope, generation, edits) {
  const serverIds = await scope.serverIdsOf(edits.map(({ record }) => record).filter(isLocalId))
  const idOf = (/** @type {Edit} */ { record }) => isLocalId(record) ? serverIds.get(record)?.id ?? 0 : record
  const keys = edits.map(edit => scope.recordKey(generation, edit.resource, idOf(edit)))
  return /** @type {Array<Values | undefined>} */ (await scope.transaction.read(keys))
}
