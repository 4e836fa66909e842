import { only, referredIn } from './edit.js'
import { buildsOn, changesState, recordOf, waitingIn } from './order.js'

/** @import { Edit, Values } from './edit.js' */
/** @import { Edits, NewEdit } from './edits.js' */
/** @import { Id } from './index.d.ts' */
/** @typedef {(edit: Edit, field: string) => unknown} Theirs the server's value of a field in conflict */
/** @typedef {(field: string, theirs: unknown) => boolean} Resolves whether the user has decided a conflict with this value */
/** @typedef {{ theirs: Theirs, resolves: Resolves }} Conflicts */

/**
 * An edit of fields of a record.
 * @typedef {object} FieldEdit
 * @property {string} resource
 * @property {Id} record
 * @property {Values} body
 * @property {Values} before the values in the record
 * @property {Values} [base] values that the user saw instead
 * @property {Record<string, string>} [createdAt]
 * @property {Theirs} theirs
 */

/**
 * Queues an edit of fields. Refused and blocked edits of the record are sent again with it, and edits in conflict in one of its fields.
 * @param {Edits} edits
 * @param {FieldEdit} edit
 */
export function update (edits, { resource, record, body, before, base: shown = {}, createdAt, theirs }) {
  const all = edits.of(resource, record)
  const base = Object.fromEntries(Object.entries({ ...before, ...shown }).filter(([field, value]) => field in body && value !== undefined))
  edits.drop(all.filter(({ op, status }) => op === 'delete' && status === 'refused'))
  const edit = { op: /** @type {const} */ ('update'), resource, record, body, base, createdAt }
  if (all.some(({ status, result }) => status === 'conflict' && Object.keys(result?.fields ?? {}).some(field => field in body))) {
    // A user who saw another value than the server's has not decided the conflict.
    /** @type {Resolves} */
    const resolves = (field, value) => field in body && (!(field in shown) || shown[field] === value)
    sendAgain(edits, edit, { conflicts: { theirs, resolves } })
  } else if (all.some(({ op, status }) => op !== 'delete' && (status === 'refused' || status === 'blocked'))) {
    sendAgain(edits, edit)
  } else {
    edits.put(edit)
  }
}

/**
 * Queues the refused and blocked edits of a record again, at the end of the queue and in their order, with the edits that wait for them.
 * @param {Edits} edits
 * @param {NewEdit} edit new values; those in the fields of a refused edit replace its values
 * @param {{ without?: string[], conflicts?: Conflicts }} [options] `without`: fields that are left out; `conflicts`: the edits in conflict
 *   are sent again too
 */
export function sendAgain (edits, edit, { without = [], conflicts } = {}) {
  const { body = {} } = edit
  const all = edits.of(edit.resource, edit.record)
  const isOpen = (/** @type {Edit['status']} */ status) => (
    status === 'refused' || status === 'blocked' || (status === 'conflict' && conflicts !== undefined))
  const open = all.filter(({ op, status }) => op !== 'delete' && isOpen(status))
  const waiting = waitingIn(edits.all)
  const own = all.filter(edit => open.includes(edit) || waiting.has(edit))
  const created = own.find(({ op }) => op === 'create')
  const moved = withDependents(edits.all, own)
  const decided = decidedIn(open, conflicts)
  const createdAt = Object.assign({}, ...own.map(({ createdAt }) => createdAt), edit.createdAt)

  // A change of state follows what was written before. Other corrections come first: the refused edits may need them.
  const isLast = changesState(edit) && !(created !== undefined && changesState({ ...created, op: 'update' }))
  const isReplaced = (/** @type {string} */ field) => Object.hasOwn(body, field) && (!isLast || open.some(one => writes(one, field)))
  const earliest = Object.assign({}, ...[...own].reverse().map(({ base }) => base))
  const bases = { ...edit.base, ...only(earliest, isReplaced), ...only(decided, isReplaced) }
  const correction = { ...edit, body, base: only(bases, field => Object.hasOwn(body, field)), createdAt }
  const queued = moved.flatMap((one) => {
    if (!own.includes(one)) return [one]
    if (one === created) return [{ ...one, body: { ...one.body, ...!isLast && body }, createdAt }]
    // Edits that are being sent, or do not wait, have newer values.
    const newer = all.filter(other => other.number > one.number && !own.includes(other))
    const kept = only(one.body ?? {}, field => (
      !isReplaced(field) && !without.includes(field) && !newer.some(other => writes(other, field))))
    const ownDecided = only(decided, field => own.find(other => writes(other, field)) === one)
    const base = only({ ...one.base, ...ownDecided }, field => Object.hasOwn(kept, field))
    return Object.keys(kept).length === 0 ? [] : [{ ...one, body: kept, base }]
  })
  edits.drop(moved)
  const isSeparate = Object.keys(body).length > 0 && (isLast || created === undefined)
  for (const one of [...isSeparate && !isLast ? [correction] : [], ...queued, ...isSeparate && isLast ? [correction] : []]) edits.put(one)
}

/**
 * Edits, with the later edits that cannot be sent before them. Such an edit refers to a record that one of them creates, or builds on one
 * of them.
 * @param {Edit[]} all in order
 * @param {Edit[]} edits
 */
export function withDependents (all, edits) {
  const own = new Set(edits)
  /** @type {Set<unknown>} */
  const created = new Set()
  /** Edits by record. @type {Map<string, Edit[]>} */
  const moved = new Map()
  return all.filter((edit) => {
    const { op, status, record, result } = edit
    const isOpen = status === 'queued' || (status === 'refused' && result?.status === 424)
    const before = moved.get(recordOf(edit)) ?? []
    const isDependent = [record, ...referredIn(edit)].some(id => created.has(id)) || before.some(earlier => buildsOn(edit, earlier))
    const isMoved = own.has(edit) || (isOpen && isDependent)
    if (isMoved && op === 'create') created.add(record)
    if (isMoved) before.push(edit)
    moved.set(recordOf(edit), before)
    return isMoved
  })
}

/**
 * The server's values with which the user has decided conflicts.
 * @param {Edit[]} edits
 * @param {Conflicts} [conflicts]
 * @returns {Values}
 */
function decidedIn (edits, conflicts) {
  if (conflicts === undefined) return {}
  /** @type {Values} */
  const decided = {}
  for (const edit of edits) {
    for (const field of Object.keys(edit.result?.fields ?? {})) {
      const theirs = conflicts.theirs(edit, field)
      if (conflicts.resolves(field, theirs)) decided[field] = theirs
    }
  }
  return decided
}

/** Whether an edit has a value for a field. @param {Edit} edit @param {string} field */
function writes ({ body = {} }, field) {
  return Object.hasOwn(body, field)
}
