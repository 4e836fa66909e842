import { referencesOf, shownReferencesOf } from './edit.ts'
import { descriptionOf } from './descriptions.ts'
import type { Id, SyncState } from './types.ts'
import type { Edit, Values } from './edit.ts'
import type { LocalIds } from './scope.ts'

export type Shown = Values & { id: Id, sync: SyncState }

/**
 * A record as the app sees it: the server's record with the edits of this device. Undefined if it does not exist.
 * @param server with ids of this device
 * @param edits of this record
 */
export function withEdits (resource: string, id: Id, server: Values | undefined, edits: Edit[], company: number): Shown | undefined {
  let record = server
  for (const { op, body = {}, status, result } of edits) {
    if (op === 'create') {
      record ??= { company, ...fieldsOf(resource, { ...descriptionOf(resource).defaults, ...body }) }
    } else if (op === 'delete') {
      if (status !== 'refused') record = undefined
    } else if (record !== undefined && !(status === 'accepted' && record['version'] >= (result?.record?.version ?? Infinity))) {
      record = { ...record, ...fieldsOf(resource, body) }
    }
  }
  return record && { ...record, id, sync: syncState(edits) }
}

function syncState (edits: Edit[]): SyncState {
  const has = (...some: Edit['status'][]) => edits.some(({ status }) => some.includes(status))
  if (has('refused')) return 'refused'
  if (has('conflict')) return 'conflict'
  return has('blocked') ? 'blocked' : has('queued', 'sent') ? 'pending' : 'synced'
}

/** The fields of a record that a body writes. */
function fieldsOf (resource: string, body: Values) {
  const references = referencesOf(resource)
  return Object.fromEntries(Object.entries(body).map(([field, value]) => [references[field]?.field ?? field, value]))
}

/** The values of a record, under the names of a body's fields. */
export function bodyOf (resource: string, record: Values) {
  const shown = Object.entries(referencesOf(resource)).map(([field, { field: name }]) => [field, record[name]])
  return { ...record, ...Object.fromEntries(shown) }
}

/** A record of the server with the ids of this device. */
export function withLocalIds (resource: string, { ref, ...record }: Values, localIdOf: LocalIds): Values & { id: Id } {
  const references = shownReferencesOf(resource).filter(([field]) => record[field] != null)
  const ids = references.map(([field, resource]) => [field, localIdOf(resource, record[field])])
  return { ...record, id: localIdOf(resource, record['id']), ...Object.fromEntries(ids) }
}
