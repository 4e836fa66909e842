import { isLocalId, referencesOf, referredIn } from './edit.ts'
import type { Edit, Mutation, Values } from './edit.ts'
import type { ServerId } from './scope.ts'
import { resourceNamed } from './selection.ts'

/** The times of creation of the records that a mutation names by the server's ids. */
export function createdAtOf (edit: Edit, serverIds: Map<string, ServerId>) {
  return Object.fromEntries([edit.record, ...referredIn(edit)].flatMap((id) => {
    const shown = isLocalId(id) ? serverIds.get(id) : undefined
    return shown?.created === undefined ? [] : [[`${shown.resource}/${shown.id}`, shown.created]]
  }))
}

/** The mutation of an edit, with the server's ids. */
export function mutationOf ({ number, op, resource, record, base, body, version }: Edit, serverIds: Map<string, ServerId>): Mutation {
  /** A restore can give the id of a record that no copy has shown to another one. */
  const shownId = (id: string) => serverIds.get(id)?.created === undefined ? undefined : serverIds.get(id)?.id
  const idOf = (id: unknown) => isLocalId(id) ? shownId(id) ?? { ref: id } : id
  const references = referencesOf(resource)
  const withIds = (values: Values | undefined) => values && Object.fromEntries(
    Object.entries(values).map(([field, value]) => [field, field in references ? idOf(value) : value]))
  const shared = { id: number, op, resource: resourceNamed(resource), ...body && { body: withIds(body) } }
  if (op === 'create') return { ...shared, ref: String(record) }
  const target = { ...shared, record: idOf(record) as Mutation['record'] } // an id, or the `ref` of a new record
  return op === 'update' ? { ...target, base: withIds(base) ?? {} } : { ...target, ...version !== undefined && { version } }
}
