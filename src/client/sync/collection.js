import { ObraError } from '../errors.js'
import { randomUuid, visibleGeneration } from './scope.js'
import { referencesOf } from './edits.js'
import { bodyOf, withEdits, withOwnIds } from './records.js'
import { theirsIn } from './summary.js'
import { timesOfCreation } from './timelines.js'

/** @import { Id, Resource } from './index.d.ts' */
/** @import { Edit } from './edits.js' */
/** @import { OwnIds, Scope, Values } from './scope.js' */
/** @import { Shown } from './records.js' */
/** @import { Store } from './store.js' */
/** @typedef {Record<string, unknown> | ((record: any) => boolean) | undefined} Filter */

/**
 * @param {Store} store
 * @param {Resource} resource
 */
export function collectionOf (store, resource) {
  /** @param {Filter} filter */
  const list = async filter => await store.transaction('read', async scope => scope === undefined ? [] : await listRecords(scope, resource, filter))
  return {
    /** @param {Id} id */
    get: async id => await store.transaction('read', async scope => scope && (await findRecord(scope, resource, id, await scope.allEdits())).shown),
    list,
    /** @param {Filter} filter @param {(records: Shown[]) => void} callback */
    watch: (filter, callback) => watch(store, async () => await list(filter), callback),
    /** @param {Values} body */
    create: async body => await store.edit(async (edits) => {
      const id = randomUuid()
      edits.add({ op: 'create', resource, record: id, body: { ...body }, seen: await seenIn(edits.scope, resource, undefined, body) })
      return withEdits(resource, id, undefined, edits.of(resource, id), edits.scope.company)
    }),
    /** @param {Id} id @param {Values} body */
    update: async (id, body) => await store.edit(async (edits) => {
      const { scope } = edits
      const { shown, server } = await findRecord(scope, resource, id, edits.all)
      if (shown === undefined) throw notFound()
      edits.update(resource, shown.id, { body: { ...body }, before: bodyOf(resource, shown), seen: await seenIn(scope, resource, shown.id, body), theirs: await theirsIn(scope, edits.all) })
      return withEdits(resource, shown.id, server, edits.of(resource, shown.id), scope.company)
    }),
    /** @param {Id} id */
    remove: async id => await store.edit(async (edits) => {
      const { shown, server } = await findRecord(edits.scope, resource, id, edits.all)
      if (shown === undefined) throw notFound()
      edits.remove(resource, shown.id, { version: server?.['version'], seen: await seenIn(edits.scope, resource, shown.id, {}) })
    })
  }
}

/**
 * @param {Scope} scope
 * @param {string} resource
 * @param {Id} id
 * @param {Edit[]} edits
 */
async function findRecord (scope, resource, id, edits) {
  const { server, own } = await serverRecord(scope, resource, id)
  return { server, shown: withEdits(resource, own, server, edits.filter(edit => edit.record === own && edit.resource === resource), scope.company) }
}

/**
 * The server's record with the ids of this device.
 * @param {Scope} scope
 * @param {string} resource
 * @param {Id} id
 */
export async function serverRecord (scope, resource, id) {
  const generation = visibleGeneration(await scope.state())
  const own = await scope.ownIds()
  const serverId = typeof id === 'string' ? (await scope.namesOf([id])).get(id)?.id : id
  const [record] = serverId === undefined ? [] : await scope.transaction.read([scope.recordKey(generation, resource, serverId)])
  return { own: serverId === undefined ? id : own(resource, serverId), server: record === undefined ? undefined : withOwnIds(resource, /** @type {Values} */ (record), own) }
}

/**
 * The times of creation of the server's records that an edit names.
 * @param {Scope} scope
 * @param {string} resource
 * @param {Id | undefined} id of its record
 * @param {Values} body
 * @returns {Promise<Record<string, string>>} by `resource/id`
 */
async function seenIn (scope, resource, id, body) {
  const references = Object.entries(referencesOf(resource)).map(([field, { resource }]) => ({ resource, id: body[field] }))
  const named = [{ resource, id }, ...references].filter(({ id }) => id != null)
  const names = await scope.namesOf(named.map(({ id }) => id).filter(id => typeof id === 'string'))
  const keys = named.flatMap(({ resource, id }) => {
    const serverId = typeof id === 'string' ? names.get(id)?.id : id
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
  const own = await scope.ownIds()
  /** @type {Map<Id, Edit[]>} */
  const edits = new Map()
  for (const edit of await scope.allEdits()) {
    if (edit.resource === resource) edits.set(edit.record, [...edits.get(edit.record) ?? [], edit])
  }
  const servers = (await scope.transaction.list(scope.recordsPrefix(generation, resource))).map(([, record]) => withOwnIds(resource, /** @type {Values} */ (record), own))
  const known = new Set(servers.map(({ id }) => id))
  const created = [...edits.keys()].filter(id => !known.has(id)).map(id => withEdits(resource, id, undefined, edits.get(id) ?? [], scope.company))
  const shown = servers.map(record => withEdits(resource, record.id, record, edits.get(record.id) ?? [], scope.company))
  return [...shown, ...created].filter(record => record !== undefined).filter(selects(filter))
}

/** @param {Filter} filter @returns {(record: Shown) => boolean} */
function selects (filter) {
  if (typeof filter === 'function') return filter
  const wanted = Object.entries(filter ?? {})
  return record => wanted.every(([field, value]) => record[field] === value)
}

/**
 * Calls back with the result of `list`, now and whenever it has changed.
 * @param {Store} store
 * @param {() => Promise<Shown[]>} list
 * @param {(records: Shown[]) => void} callback
 */
function watch (store, list, callback) {
  const state = { isOver: false, isStale: true, last: '' }
  let reading = Promise.resolve()
  const read = async () => {
    if (state.isOver || !state.isStale) return
    state.isStale = false
    const records = await list()
    const text = JSON.stringify(records)
    if (text === state.last || state.isOver) return
    state.last = text
    store.call(callback, records)
  }
  const next = () => { reading = reading.catch(() => {}).then(read) }
  const end = store.onChange(() => {
    state.isStale = true
    next()
  })
  next()
  return () => {
    state.isOver = true
    end()
  }
}

function notFound () {
  return new ObraError({ detail: 'Not found.', code: 'not_found' }, new Response(null, { status: 404 }))
}
