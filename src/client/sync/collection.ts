import { clientError } from '../errors.ts'
import { randomUuid } from '../random.ts'
import { update } from './again.ts'
import { isLocalId, referencesOf } from './edit.ts'
import { baseIn, bodyIn, checkFilter, idIn } from './input.ts'
import { isSameRecord } from './order.ts'
import { bodyOf, withEdits, withLocalIds } from './records.ts'
import { seenBefore } from './removals.ts'
import { visibleGeneration } from './scope.ts'
import { theirsIn } from './summary.ts'
import { timesOfCreation } from './timelines.ts'
import { watchList } from './watch.ts'
import type { Id, Resource } from './types.ts'
import type { Edit, Values } from './edit.ts'
import type { Edits } from './edits.ts'
import type { Scope } from './scope.ts'
import type { Shown } from './records.ts'
import type { StoreParts } from './parts.ts'

type Filter = Record<string, unknown> | ((record: Values) => boolean) | undefined

export function collectionOf (store: StoreParts, resource: Resource) {
  const list = async (filter: Filter) => await store.transaction('read', async (scope) => {
    return scope === undefined ? [] : await listRecords(scope, resource, filter)
  })
  return {
    get: async (id: Id) => {
      const known = idIn('get', id)
      return await store.transaction('read', async (scope) => {
        if (scope === undefined) return undefined
        const { shown } = await findRecord(scope, resource, known, await scope.allEdits())
        return shown
      })
    },
    list: async (filter: Filter) => {
      checkFilter('list', filter)
      return await list(filter)
    },
    watch: (filter: Filter, callback: (records: Shown[]) => void) => {
      checkFilter('watch', filter)
      if (typeof callback !== 'function') throw new TypeError('watch needs a filter, or undefined, and then a function.')
      return watchList(store, async () => await list(filter), callback)
    },
    create: async (body: Values) => {
      const values = bodyIn(resource, 'create', body)
      return await store.changeEdits(async edits => await createRecord(edits, resource, values))
    },
    update: async (id: Id, body: Values, { base }: { base?: Values } = {}) => {
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
    remove: async (id: Id) => {
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
 */
export function emptyCollection (store: StoreParts, resource: Resource) {
  const collection = collectionOf(store, resource)
  const refused = (method: string) => async () => {
    throw new TypeError(`${method}: this store has no ${resource}. Name them in the option \`resources\` of openStore.`)
  }
  return {
    ...collection,
    get: async (id: Id) => { idIn('get', id) },
    list: async (filter: Filter) => {
      checkFilter('list', filter)
      return []
    },
    watch: (filter: Filter, callback: (records: Shown[]) => void) => collection.watch(() => false, callback),
    create: refused('create'),
    update: refused('update'),
    remove: refused('remove')
  }
}

/** Queues the creation of a record. */
export async function createRecord (edits: Edits, resource: string, values: Values) {
  const id = randomUuid()
  const createdAt = await createdAtOf(edits.scope, resource, undefined, values)
  edits.add({ op: 'create', resource, record: id, body: values, createdAt })
  return withEdits(resource, id, undefined, edits.of(resource, id), edits.scope.company) as Shown // there is an edit that creates it
}

/**
 * Queues the removal of a record.
 * @returns the record; undefined if it does not exist
 */
export async function removeRecord (edits: Edits, resource: string, id: Id): Promise<Shown | undefined> {
  const { shown, server } = await findRecord(edits.scope, resource, id, edits.all)
  if (shown === undefined) return undefined
  const createdAt = await createdAtOf(edits.scope, resource, shown.id, {})
  const seen = await seenBefore(edits, { resource, record: shown.id }, server)
  edits.remove(resource, shown.id, { version: server?.['version'], seen, createdAt })
  return shown
}

async function findRecord (scope: Scope, resource: string, id: Id, edits: Edit[]) {
  const { server, localId } = await serverRecord(scope, resource, id)
  const own = edits.filter(edit => isSameRecord(edit, { resource, record: localId }))
  return { server, shown: withEdits(resource, localId, server, own, scope.company) }
}

/** The server's record with the ids of this device. */
async function serverRecord (scope: Scope, resource: string, id: Id) {
  const generation = visibleGeneration(await scope.state())
  const localIdOf = await scope.localIds()
  const serverId = isLocalId(id) ? (await scope.serverIdsOf([id])).get(id)?.id : id
  if (serverId === undefined) return { localId: id, server: undefined }
  const localId = localIdOf(resource, serverId)
  const [record] = await scope.read<Values>([scope.recordKey(generation, resource, serverId)])
  return { localId, server: record === undefined ? undefined : withLocalIds(resource, record, localIdOf) }
}

/**
 * The times of creation of the server's records that an edit names.
 * @param id of its record
 * @returns by `resource/id`
 */
async function createdAtOf (scope: Scope, resource: string, id: Id | undefined, body: Values): Promise<Record<string, string>> {
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

async function listRecords (scope: Scope, resource: string, filter: Filter) {
  const generation = visibleGeneration(await scope.state())
  const localIdOf = await scope.localIds()
  const edits = new Map<Id, Edit[]>()
  for (const edit of await scope.allEdits()) {
    if (edit.resource === resource) edits.set(edit.record, [...edits.get(edit.record) ?? [], edit])
  }
  const entries = await scope.list<Values>(scope.recordsPrefix(generation, resource))
  const servers = entries.map(([, record]) => withLocalIds(resource, record, localIdOf))
  const known = new Set(servers.map(({ id }) => id))
  const edited = (id: Id, record: Values | undefined) => (
    withEdits(resource, id, record, edits.get(id) ?? [], scope.company))
  const created = [...edits.keys()].filter(id => !known.has(id)).map(id => edited(id, undefined))
  const shown = servers.map(record => edited(record.id, record))
  return [...shown, ...created].filter(record => record !== undefined).filter(selects(filter))
}

function selects (filter: Filter): (record: Shown) => boolean {
  if (typeof filter === 'function') return filter
  const wanted = Object.entries(filter ?? {})
  return record => wanted.every(([field, value]) => record[field] === value)
}

function notFound () {
  return clientError(404, 'not_found', 'Not found.')
}
