import { isOpen, referredIn } from './edit.js'

/** @import { Edit } from './edit.js' */

/** The field with the state of a record. A change of state depends on what was written before, and decides what can be written after it. */
const stateField = 'estado'

/** Whether an edit changes the state of its record. @param {Pick<Edit, 'op' | 'body' | 'base'>} edit */
export function changesState ({ op, body = {}, base = {} }) {
  return op === 'update' && Object.hasOwn(body, stateField) && body[stateField] !== base[stateField]
}

/** Whether two edits write a field in common. @param {Pick<Edit, 'body'>} one @param {Pick<Edit, 'body'>} other */
export function sharesField ({ body: one = {} }, { body: other = {} }) {
  return Object.keys(one).some(field => Object.hasOwn(other, field))
}

/** The record of an edit, as a key. @param {Pick<Edit, 'resource' | 'record'>} edit */
export function recordOf ({ resource, record }) {
  return `${resource}/${record}`
}

/**
 * Whether two edits are of the same record.
 * @param {Pick<Edit, 'resource' | 'record'>} one
 * @param {Pick<Edit, 'resource' | 'record'>} other
 */
export function isSameRecord (one, other) {
  return one.record === other.record && one.resource === other.resource
}

/**
 * Whether an edit builds on an earlier one of its record, so that it cannot be sent before the server has accepted the earlier one.
 * @param {Edit} later
 * @param {Edit} earlier
 */
export function buildsOn (later, earlier) {
  if (!isSameRecord(later, earlier) || later.op === 'create') return false
  if (earlier.op === 'create' || later.op === 'delete') return true
  return changesState(later) || changesState(earlier) || sharesField(later, earlier)
}

/**
 * The queued edits that wait until the app has resolved an earlier edit of their record, which is refused or in conflict. After a blocked
 * edit, which the server does not know, all later edits of its record wait, and edits that refer to a record which it creates.
 * @param {Edit[]} edits in order
 * @returns {Set<Edit>}
 */
export function waitingIn (edits) {
  /** @type {Set<Edit>} */
  const waiting = new Set()
  /** @type {Map<string, Edit[]>} */
  const open = new Map()
  /** Records with a blocked edit, and records that are not created because of one. @type {Set<string>} */
  const held = new Set()
  /** @type {Set<unknown>} */
  const missing = new Set()
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
