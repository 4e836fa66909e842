import { clientError } from '../errors.js'
import { randomUuid } from '../random.js'
import { update } from './again.js'
import { isLocalId, referencesOf } from './edit.js'
import { baseIn, bodyIn, checkFilter, idIn } from './input.js'
import { isSameRecord } from './order.js'
import { bodyOf, withEdits, withLocalIds } from './records.js'
import { seenBefore } from './removals.js'
import { visibleGeneration } from './scope.js'
import { theirsIn } from './summary.js'
import { timesOfCreation } from './timelines.js'
import { watchList } from './watch.js'

/** @import { Id, Resource } from './index.d.ts' */
/** @import { Edit, Values } from './edit.js' */
/** @import { Edits } from './edits.js' */
/** @import { Scope } from './scope.js' */
/** @import { Shown } from './records.js' */
/** @import { StoreParts } from './parts.d.ts' */
/** @typedef {Record<string, unknown> | ((record: any) => boolean) | undefined} Filter */

/**
 * @param {StoreParts} store
 * @param {Resource} resource
 */
export function collectionOf (store, resource) {
  /** @param {Filter} filter */
  const list = async filter => await store.transaction('read', async (scope) => {
    return scope === undefined ? [] : await listRecords(scope, resource, filter)
  })
  return {
    /** @param {Id} id */
    get: async (id) => {
      const known = idIn('get', id)
      return await store.transaction('read', async (scope) => {
        if (scope === undefined) return undefined
        const { shown } = await findRecord(scope, resource, known, await scope.allEdits())
        return shown
      })
    },
    /** @param {Filter} filter */
    list: async (filter) => {
      checkFilter('list', filter)
      return await list(filter)
    },
    /** @param {Filter} filter @param {(records: Shown[]) => void} callback */
    watch: (filter, callback) => {
      checkFilter('watch', filter)
      if (typeof callback !== 'function') throw new TypeError('watch needs a filter, or undefined, and then a function.')
      return watchList(store, async () => await list(filter), callback)
    },
    /** @param {Values} body */
    create: async (body) => {
      const values = bodyIn(resource, 'create', body)
      return await store.changeEdits(async edits => await createRecord(edits, resource, values))
    },
    /** @param {Id} id @param {Values} body @param {{ base?: Values }} [options] */
    update: async (id, body, { base } = {}) => {
      const [known, values] = [idIn('update', id), bodyIn(resource, 'update', body)]
      const seen = base === undefined ? undefined : baseIn(resource, base, values)
      return await store.changeEdits(async (edits) => {
        const { scope } = edits
        const { shown, server } = await findRecord(scope, resource, known, edits.all)
        if (shown === undefined) throw notFound()
        const [createdAt, theirs] = [await createdAtOf(scope, resource, shown.id, values), await theirsIn(scope, edits.all)]
        update(edits, { resource, record: shown.id, body: values, before: bodyOf(resource, shown), base: seen, createdAt, theirs })
        return withEdits(resource, shown.id, server, edits.of(resource, shown.id), scope.company)
      })
    },
    /** @param {Id} id */
    remove: async (id) => {
      const known = idIn('remove', id)
      await store.changeEdits(async (edits) => {
        if (await removeRecord(edits, resource, known) === undefined) throw notFound()
      })
    }
  }
}

/**
 * The collection of a resource that the store does not have. A mistake of the app could otherwise look as if there were no records, or make
 * edits of records that it never sees.
 * @param {StoreParts} store
 * @param {Resource} resource
 */
export function emptyCollection (store, resource) {
  const collection = collectionOf(store, resource)
  const refused = (/** @type {string} */ method) => async () => {
    throw new TypeError(`${method}: this store has no ${resource}. Name them in the option \`resources\` of openStore.`)
  }
  return {
    ...collection,
    get: async (/** @type {Id} */ id) => { idIn('get', id) },
    list: async (/** @type {Filter} */ filter) => {
      checkFilter('list', filter)
      return []
    },
    watch: (/** @type {Filter} */ filter, /** @type {(records: Shown[]) => void} */ callback) => collection.watch(() => false, callback),
    create: refused('create'),
    update: refused('update'),
    remove: refused('remove')
  }
}

/**
 * Queues the creation of a record.
 * @param {Edits} edits
 * @param {string} resource
 * @param {Values} values
 */
export async function createRecord (edits, resource, values) {
  const id = randomUuid()
  const createdAt = await createdAtOf(edits.scope, resource, undefined, values)
  edits.add({ op: 'create', resource, record: id, body: values, createdAt })
  return /** @type {Shown} */ (withEdits(resource, id, undefined, edits.of(resource, id), edits.scope.company))
}

/**
 * Queues the removal of a record.
 * @param {Edits} edits
 * @param {string} resource
 * @param {Id} id
 * @returns {Promise<Shown | undefined>} the record; undefined if it does not exist
 */
export async function removeRecord (edits, resource, id) {
  const { shown, server } = await findRecord(edits.scope, resource, id, edits.all)
  if (shown === undefined) return undefined
  const createdAt = await createdAtOf(edits.scope, resource, shown.id, {})
  const seen = await seenBefore(edits, { resource, record: shown.id }, server)
  edits.remove(resource, shown.id, { version: server?.['version'], seen, createdAt })
  return shown
}

/**
 * @param {Scope} scope
 * @param {string} resource
 * @param {Id} id
 * @param {Edit[]} edits
 */
async function findRecord (scope, resource, id, edits) {
  const { server, localId } = await serverRecord(scope, resource, id)
  const own = edits.filter(edit => isSameRecord(edit, { resource, record: localId }))
  return { server, shown: withEdits(resource, localId, server, own, scope.company) }
}

/**
 * The server's record with the ids of this device.
 * @param {Scope} scope
 * @param {string} resource
 * @param {Id} id
 */
async function serverRecord (scope, resource, id) {
  const generation = visibleGeneration(await scope.state())
  const localIdOf = await scope.localIds()
  const serverId = isLocalId(id) ? (await scope.serverIdsOf([id])).get(id)?.id : id
  if (serverId === undefined) return { localId: id, server: undefined }
  const localId = localIdOf(resource, serverId)
  const [record] = /** @type {[Values | undefined]} */ (await scope.transaction.read([scope.recordKey(generation, resource, serverId)]))
  return { localId, server: record === undefined ? undefined : withLocalIds(resource, record, localIdOf) }
}

/**
 * The times of creation of the server's records that an edit names.
 * @param {Scope} scope
 * @param {string} resource
 * @param {Id | undefined} id of its record
 * @param {Values} body
 * @returns {Promise<Record<string, string>>} by `resource/id`
 */
async function createdAtOf (scope, resource, id, body) {
  const references = Object.entries(referencesOf(resource)).map(([field, { resource }]) => ({ resource, id: body[field] }))
  const named = [{ resource, id }, ...references].filter(({ id }) => id != null)
  const serverIds = await scope.serverIdsOf(named.map(({ id }) => id).filter(isLocalId))
  const keys = named.flatMap(({ resource, id }) => {
    const serverId = isLocalId(id) ? serverIds.get(id)?.id : id
    return serverId === undefined ? [] : [`${resource}/${serverId}`]
  })
  const created = await timesOfCreation(scope, visibleGeneration(await scope.state()), keys)
  return Object.fromEntries(keys.flatMap((key, index) => created[index] === undefined ? [] : [[key, created[index]]]))
}

/**
 * @param {Scope} scope
 * @param {string} resource
 * @param {Filter} filter
 */
async function listRecords (scope, resource, filter) {
  const generation = visibleGeneration(await scope.state())
  const localIdOf = await scope.localIds()
  /** @type {Map<Id, Edit[]>} */
  const edits = new Map()
  for (const edit of await scope.allEdits()) {
    if (edit.resource === resource) edits.set(edit.record, [...edits.get(edit.record) ?? [], edit])
  }
  const entries = /** @type {Array<[string, Values]>} */ (await scope.transaction.list(scope.recordsPrefix(generation, resource)))
  const servers = entries.map(([, record]) => withLocalIds(resource, record, localIdOf))
  const known = new Set(servers.map(({ id }) => id))
  const edited = (/** @type {Id} */ id, /** @type {any} */ record) => (
    withEdits(resource, id, record, edits.get(id) ?? [], scope.company))
  const created = [...edits.keys()].filter(id => !known.has(id)).map(id => edited(id, undefined))
  const shown = servers.map(record => edited(record.id, record))
  return [...shown, ...created].filter(record => record !== undefined).filter(selects(filter))
}

/** @param {Filter} filter @returns {(record: Shown) => boolean} */
function selects (filter) {
  if (typeof filter === 'function') return filter
  const wanted = Object.entries(filter ?? {})
  return record => wanted.every(([field, value]) => record[field] === value)
}

function notFound () {
  return clientError(404, 'not_found', 'Not found.')
}
