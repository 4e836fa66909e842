import { only, referredIn } from './edit.ts'
import { buildsOn, changesState, recordOf, waitingIn } from './order.ts'
import type { Edit, Values } from './edit.ts'
import type { Edits, NewEdit } from './edits.ts'
import type { Id } from './types.ts'

/** The server's value of a field in conflict. */
type Theirs = (edit: Edit, field: string) => unknown
/** Whether the user has decided a conflict with this value. */
type Resolves = (field: string, theirs: unknown) => boolean
type Conflicts = { theirs: Theirs, resolves: Resolves }

/** An edit of fields of a record. */
interface FieldEdit {
  resource: string
  record: Id
  body: Values
  /** The values in the record. */
  before: Values
  /** Values that the user saw instead. */
  base?: Values
  createdAt?: Record<string, string>
  theirs: Theirs
}

/** Queues an edit of fields. Refused and blocked edits of the record are sent again with it, and edits in conflict in one of its fields. */
export function update (edits: Edits, { resource, record, body, before, base: shown = {}, createdAt, theirs }: FieldEdit) {
  const all = edits.of(resource, record)
  const base = Object.fromEntries(Object.entries({ ...before, ...shown }).filter(([field, value]) => field in body && value !== undefined))
  edits.drop(all.filter(({ op, status }) => op === 'delete' && status === 'refused'))
  const edit = { op: 'update' as const, resource, record, body, base, createdAt }
  if (all.some(({ status, result }) => status === 'conflict' && Object.keys(result?.fields ?? {}).some(field => field in body))) {
    // A user who saw another value than the server's has not decided the conflict.
    const resolves: Resolves = (field, value) => field in body && (!(field in shown) || shown[field] === value)
    sendAgain(edits, edit, { conflicts: { theirs, resolves } })
  } else if (all.some(({ op, status }) => op !== 'delete' && (status === 'refused' || status === 'blocked'))) {
    sendAgain(edits, edit)
  } else {
    edits.put(edit)
  }
}

/**
 * Queues the refused and blocked edits of a record again, at the end of the queue and in their order, with the edits that wait for them.
 * @param edit new values; those in the fields of a refused edit replace its values
 * @param options `without`: fields that are left out; `conflicts`: the edits in conflict
 *   are sent again too
 */
export function sendAgain (edits: Edits, edit: NewEdit, { without = [], conflicts }: { without?: string[], conflicts?: Conflicts } = {}) {
  const { body = {} } = edit
  const all = edits.of(edit.resource, edit.record)
  const isOpen = (status: Edit['status']) => (
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
  const isReplaced = (field: string) => Object.hasOwn(body, field) && (!isLast || open.some(one => writes(one, field)))
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
 * @param all in order
 */
export function withDependents (all: Edit[], edits: Edit[]) {
  const own = new Set(edits)
  const created = new Set<unknown>()
  /** Edits by record. */
  const moved = new Map<string, Edit[]>()
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

/** The server's values with which the user has decided conflicts. */
function decidedIn (edits: Edit[], conflicts?: Conflicts): Values {
  if (conflicts === undefined) return {}
  const decided: Values = {}
  for (const edit of edits) {
    for (const field of Object.keys(edit.result?.fields ?? {})) {
      const theirs = conflicts.theirs(edit, field)
      if (conflicts.resolves(field, theirs)) decided[field] = theirs
    }
  }
  return decided
}

/** Whether an edit has a value for a field. */
function writes ({ body = {} }: Edit, field: string) {
  return Object.hasOwn(body, field)
}
