import { isLocalId } from './edit.ts'
import type { Edit, Values } from './edit.ts'
import type { Scope, ServerId } from './scope.ts'

/** A record created here, and its id on the server. */
export type Named = [id: string, serverId: ServerId]

/** Keeps the server's ids of records created here. */
export async function keepServerIds (scope: Scope, named: Named[]) {
  await forgetServerIds(scope, named.map(([id]) => id))
  await scope.transaction.write(named.flatMap(([id, serverId]) => [
    [scope.serverIdKey(id), serverId],
    [scope.localIdKey(serverId.resource, serverId.id), id]
  ]))
}

export async function forgetServerIds (scope: Scope, ids: string[]) {
  const known = [...await scope.serverIdsOf(ids)]
  const keys = known.map(([, { resource, id }]) => scope.localIdKey(resource, id))
  const owners = await scope.transaction.read(keys)
  // A restored server can have given the id to another record created here.
  const own = keys.filter((_, index) => owners[index] === known[index]?.[0])
  await scope.transaction.write([...known.map(([id]) => scope.serverIdKey(id)), ...own].map(key => [key, undefined]))
}

/** The records that a copy shows under the names that this device has given them. */
export async function namedIn (scope: Scope, generation: number): Promise<Named[]> {
  const prefix = scope.recordsPrefix(generation)
  const records = await scope.list<Values>(prefix)
  return records.flatMap(([key, { ref, id, created_at: created }]) => {
    const [resource = ''] = key.slice(prefix.length).split('/')
    return ref === undefined ? [] : [[ref, { resource, id, created }]]
  })
}

/** The server's records of edits, in their order. A restored server can have created one again under another id than that in an answer. */
export async function recordsOf (scope: Scope, generation: number, edits: Edit[]): Promise<Array<Values | undefined>> {
  const serverIds = await scope.serverIdsOf(edits.map(({ record }) => record).filter(isLocalId))
  const idOf = ({ record }: Edit) => isLocalId(record) ? serverIds.get(record)?.id ?? 0 : record
  const keys = edits.map(edit => scope.recordKey(generation, edit.resource, idOf(edit)))
  return await scope.read<Values>(keys)
}
