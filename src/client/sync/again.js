import { referredIn } from './edit.js'
import { buildsOn, changesState, recordOf, waitingIn } from './order.js'

/** @import { Edit, Values } from './edit.js' */
/** @import { Edits, NewEdit } from './edits.js' */
/** @import { Id } from './index.d.ts' */
/** @typedef {(edit: Edit, field: string) => unknown} Theirs the server's value of a field in conflict */
/** @typedef {{ theirs: Theirs, resolves: (field: string, theirs: unknown) => boolean }} Conflicts `resolves`: whether the user has decided a conflict with this value */

/**
 * Queues an edit of fields. Refused edits of the record are sent again with it, and edits in conflict in one of its fields.
 * @param {Edits} edits
 * @param {{ resource: string, record: Id, body: Values, before: Values, base?: Values, createdAt?: Record<string, string>, theirs: Theirs }} edit `before`:
 *   the values in the record; `base`: values that the user saw instead
 */
export function update (edits, { resource, record, body, before, base: shown = {}, createdAt, theirs }) {
  const all = edits.of(resource, record)
  const base = Object.fromEntries(Object.entries({ ...before, ...shown }).filter(([field, value]) => field in body && value !== undefined))
  edits.drop(all.filter(({ op, status }) => op === 'delete' && status === 'refused'))
  const edit = { op: /** @type {const} */ ('update'), resource, record, body, base, createdAt }
  if (all.some(({ status, result }) => status === 'conflict' && Object.keys(result?.fields ?? {}).some(field => field in body))) {
    // A user who saw another value than the server's has not decided the conflict.
    const resolves = (/** @type {string} */ field, /** @type {unknown} */ value) => field in body && (!(field in shown) || shown[field] === value)
    sendAgain(edits, edit, { conflicts: { theirs, resolves } })
  } else if (all.some(({ op, status }) => op !== 'delete' && status === 'refused')) {
    sendAgain(edits, edit)
  } else {
    edits.put(edit)
  }
}

/**
 * Queues the refused edits of a record again, at the end of the queue and in their order, with the edits that wait for them.
 * @param {Edits} edits
 * @param {NewEdit} edit new values; those in the fields of a refused edit replace its values
 * @param {{ without?: string[], conflicts?: Conflicts }} [options] `without`: fields that are left out; `conflicts`: the edits in conflict are sent again too
 */
export function sendAgain (edits, edit, { without = [], conflicts } = {}) {
  const { body = {} } = edit
  const all = edits.of(edit.resource, edit.record)
  const open = all.filter(({ op, status }) => op !== 'delete' && (status === 'refused' || (status === 'conflict' && conflicts !== undefined)))
  const waiting = waitingIn(edits.all)
  const own = all.filter(edit => open.includes(edit) || waiting.has(edit))
  const created = own.find(({ op }) => op === 'create')
  const moved = withDependents(edits.all, own)
  const decided = decidedIn(open, conflicts)
  const createdAt = Object.assign({}, ...own.map(({ createdAt }) => createdAt), edit.createdAt)

  // A change of state follows what was written before. Other corrections come first: the refused edits may need them.
  const isLast = changesState(edit) && !(created !== undefined && changesState({ ...created, op: 'update' }))
  const isReplaced = (/** @type {string} */ field) => Object.hasOwn(body, field) && (!isLast || open.some(({ body = {} }) => Object.hasOwn(body, field)))
  const bases = { ...edit.base, ...only(Object.assign({}, ...own.toReversed().map(({ base }) => base)), isReplaced), ...only(decided, isReplaced) }
  const correction = { ...edit, body, base: only(bases, field => Object.hasOwn(body, field)), createdAt }
  const queued = moved.flatMap((one) => {
    if (!own.includes(one)) return [one]
    if (one === created) return [{ ...one, body: { ...one.body, ...!isLast && body }, createdAt }]
    // An edit that is being sent, or does not wait, has a newer value.
    const isKept = (/** @type {string} */ field) => !isReplaced(field) && !without.includes(field) && !all.some(other => other.number > one.number && !own.includes(other) && Object.hasOwn(other.body ?? {}, field))
    const kept = only(one.body ?? {}, isKept)
    const base = only({ ...one.base, ...only(decided, field => own.find(({ body = {} }) => Object.hasOwn(body, field)) === one) }, field => Object.hasOwn(kept, field))
    return Object.keys(kept).length === 0 ? [] : [{ ...one, body: kept, base }]
  })
  edits.drop(moved)
  const isSeparate = Object.keys(body).length > 0 && (isLast || created === undefined)
  for (const one of [...isSeparate && !isLast ? [correction] : [], ...queued, ...isSeparate && isLast ? [correction] : []]) edits.put(one)
}

/**
 * Edits, with the later edits that cannot be sent before them. Such an edit refers to a record that one of them creates, or builds on one of them.
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
    const isMoved = own.has(edit) || (isOpen && ([record, ...referredIn(edit)].some(id => created.has(id)) || before.some(earlier => buildsOn(edit, earlier))))
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
  const values = edits.flatMap(edit => Object.keys(edit.result?.fields ?? {}).map(field => /** @type {[string, unknown]} */ ([field, conflicts.theirs(edit, field)])))
  return Object.fromEntries(values.filter(([field, theirs]) => conflicts.resolves(field, theirs)))
}

/** @param {Values} values @param {(field: string) => boolean} isKept @returns {Values} */
function only (values, isKept) {
  return Object.fromEntries(Object.entries(values).filter(([field]) => isKept(field)))
}
