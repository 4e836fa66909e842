import { isOpen, referredIn } from './edit.ts'
import type { Edit } from './edit.ts'

/** The field with the state of a record. A change of state depends on what was written before, and decides what can be written after it. */
const stateField = 'estado'

/** Whether an edit changes the state of its record. */
export function changesState ({ op, body = {}, base = {} }: Pick<Edit, 'op' | 'body' | 'base'>) {
  return op === 'update' && Object.hasOwn(body, stateField) && body[stateField] !== base[stateField]
}

/** Whether two edits write a field in common. */
export function sharesField ({ body: one = {} }: Pick<Edit, 'body'>, { body: other = {} }: Pick<Edit, 'body'>) {
  return Object.keys(one).some(field => Object.hasOwn(other, field))
}

/** The record of an edit, as a key. */
export function recordOf ({ resource, record }: Pick<Edit, 'resource' | 'record'>) {
  return `${resource}/${record}`
}

/** Whether two edits are of the same record. */
export function isSameRecord (one: Pick<Edit, 'resource' | 'record'>, other: Pick<Edit, 'resource' | 'record'>) {
  return one.record === other.record && one.resource === other.resource
}

/** Whether an edit builds on an earlier one of its record, so that it cannot be sent before the server has accepted the earlier one. */
export function buildsOn (later: Edit, earlier: Edit) {
  if (!isSameRecord(later, earlier) || later.op === 'create') return false
  if (earlier.op === 'create' || later.op === 'delete') return true
  return changesState(later) || changesState(earlier) || sharesField(later, earlier)
}

/**
 * The queued edits that wait until the app has resolved an earlier edit of their record, which is refused or in conflict. After a blocked
 * edit, which the server does not know, all later edits of its record wait, and edits that refer to a record which it creates.
 * @param edits in order
 */
export function waitingIn (edits: Edit[]): Set<Edit> {
  const waiting = new Set<Edit>()
  const open = new Map<string, Edit[]>()
  /** Records with a blocked edit, and records that are not created because of one. */
  const held = new Set<string>()
  const missing = new Set<unknown>()
  for (const edit of edits) {
    const earlier = open.get(recordOf(edit)) ?? []
    const isHeld = held.has(recordOf(edit)) || referredIn(edit).some(id => missing.has(id))
    const isWaiting = edit.status === 'queued' && (isHeld || earlier.some(other => buildsOn(edit, other)))
    if (isWaiting) waiting.add(edit)
    if (edit.status === 'blocked' || (isWaiting && isHeld)) {
      held.add(recordOf(edit))
      if (edit.op === 'create') missing.add(edit.record)
    }
    if (!isWaiting && (!isOpen(edit) || edit.op === 'delete')) continue
    earlier.push(edit)
    open.set(recordOf(edit), earlier)
  }
  return waiting
}
