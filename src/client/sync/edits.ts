import { isChangeable, isOpen, only, referencesOf, referredIn, versionAfter } from './edit.ts'
import { changesState, isSameRecord, sharesField, waitingIn } from './order.ts'
import type { Edit, Result } from './edit.ts'
import type { Id } from './types.ts'
import type { Scope, State } from './scope.ts'

export type NewEdit = Omit<Edit, 'number' | 'status' | 'mutation' | 'result' | 'blockedAt'>

/** Maximum edits of a queue. */
export const maxEdits = 50_000

/**
 * The edits of a scope, in a write transaction. Their order is the history of the device: an edit is merged only with the edit before it,
 * and overtakes only edits that wait for the app. `save` writes the changes.
 */
export class Edits {
  readonly scope: Scope
  state: State
  /** In order. */
  all: Edit[]
  #changed = new Map<number, Edit | undefined>()

  constructor (scope: Scope, state: State, all: Edit[]) {
    this.scope = scope
    this.state = state
    this.all = all
  }

  static async load (scope: Scope) {
    return new Edits(scope, await scope.state(), await scope.allEdits())
  }

  async save () {
    const { scope, state } = this
    const changes: Array<[string, unknown]> = [[scope.stateKey, state]]
    for (const [number, edit] of this.#changed) changes.push([scope.editKey(number), edit])
    await scope.transaction.write(changes)
  }

  of (resource: string, record: Id) {
    return this.all.filter(edit => isSameRecord(edit, { resource, record }))
  }

  find (number: number) {
    return this.all.find(edit => edit.number === number)
  }

  /** The edit with a number. @throws {RangeError} without one */
  get (number: number) {
    const edit = this.find(number)
    if (edit === undefined) throw new RangeError(`there is no edit ${number}`)
    return edit
  }

  /** Adds an edit at the end. */
  add ({ op, resource, record, body, base, version, seen, createdAt, failures }: NewEdit) {
    const number = this.state.last += 1
    const edit: Edit = { op, resource, record, body, base, version, seen, createdAt, failures, number, status: 'queued' }
    this.all.push(edit)
    this.#changed.set(number, edit)
  }

  /** Adds an edit at the end, or to the last one of the whole queue if that is of the same record. */
  put (edit: NewEdit) {
    const last = this.all.at(-1)
    if (last !== undefined && canMerge(last, edit) && !waitingIn(this.all).has(last)) this.#merge(last, edit)
    else this.add(edit)
  }

  change (edit: Edit, values: Partial<Edit>) {
    const changed = { ...edit, ...values }
    this.all.splice(this.all.indexOf(edit), 1, changed)
    this.#changed.set(edit.number, changed)
  }

  drop (edits: Edit[]) {
    const numbers = new Set(edits.map(({ number }) => number))
    this.all = this.all.filter(({ number }) => !numbers.has(number))
    for (const number of numbers) this.#changed.set(number, undefined)
  }

  /** Moves edits to the end of the queue, in their order. They get new mutations. */
  move (edits: Edit[]) {
    this.drop(edits)
    for (const edit of edits) this.add(edit)
  }

  /**
   * After an update was refused: if a later one, which is not sent yet, overwrites a field of it, that one is its correction, and takes its
   * other fields.
   */
  mergeIntoCorrection (refused: Edit) {
    const later = this.of(refused.resource, refused.record).filter(({ number }) => number > refused.number)
    const correction = later.find(edit => edit.op !== 'update' || changesState(edit) || sharesField(edit, refused))
    if (correction?.status !== 'queued' || correction.op !== 'update' || changesState(correction) || changesState(refused)) return
    this.drop([refused])
    this.change(correction, {
      body: { ...refused.body, ...correction.body },
      base: { ...correction.base, ...refused.base },
      createdAt: { ...refused.createdAt, ...correction.createdAt }
    })
  }

  /**
   * Queues the removal of a record. Its edits that wait for the app are dropped. A record that was never sent, and that no other edit
   * refers to, leaves no trace.
   * @param server version and time of creation of the server's record, if this device has it
   */
  remove (resource: string, record: Id, { version, seen, createdAt }: Pick<Edit, 'version' | 'seen' | 'createdAt'>) {
    const waiting = waitingIn(this.all)
    const open = this.of(resource, record).filter(edit => isOpen(edit) || waiting.has(edit))
    this.drop(open)
    const left = this.of(resource, record)
    const isNew = left[0]?.op === 'create' && left[0].status === 'queued'
    const isNeeded = this.all.some(edit => edit.record !== record && referredIn(edit).includes(String(record)))
    if (open.some(({ op }) => op === 'create') || (isNew && !isNeeded)) {
      this.drop(left.filter(isChangeable))
      this.#refuseDependents(record)
      return
    }
    const last = this.all.at(-1)
    const isUpdated = last?.status === 'queued' && last.op === 'update' && isSameRecord(last, { resource, record })
    if (isUpdated && !changesState(last)) this.drop([last])
    this.add({ op: 'delete', resource, record, seen, createdAt, version: versionAfter(version, left) })
  }

  /** Drops an edit. A refused creation takes the later edits of its record with it. */
  discard (number: number) {
    const edit = this.find(number)
    if (edit === undefined || !isChangeable(edit)) return
    if (edit.op === 'create') {
      this.drop(this.of(edit.resource, edit.record).filter(isChangeable))
      this.#refuseDependents(edit.record)
      return
    }
    this.drop([edit])
    // The next edits of its fields began with values that the server does not get.
    for (const [field, value] of Object.entries(edit.base ?? {})) this.rebase(edit, field, value)
  }

  /** Drops fields of a refused update. */
  discardFields (number: number, fields: string[]) {
    const edit = this.get(number)
    const { body = {}, base = {} } = edit
    const left = Object.keys(body).filter(field => !fields.includes(field))
    if (left.length === 0) return this.discard(number)
    this.change(edit, { body: only(body, field => left.includes(field)), base: only(base, field => left.includes(field)) })
    for (const [field, value] of Object.entries(base)) if (!left.includes(field)) this.rebase(edit, field, value)
  }

  /** Gives the next edit of a field, which is not sent yet, another base. */
  rebase ({ number, resource, record }: Edit, field: string, value: unknown) {
    const next = this.of(resource, record).find(other => other.number > number && Object.hasOwn(other.body ?? {}, field))
    if (next?.status === 'queued' && next.op === 'update') this.change(next, { base: { ...next.base, [field]: value } })
  }

  /** Refuses the queued edits that refer to a record which the server will never have. */
  #refuseDependents (record: Id) {
    for (const edit of this.all.filter(({ status }) => status === 'queued')) {
      const fields = Object.keys(referencesOf(edit.resource)).filter(field => edit.body?.[field] === record)
      if (fields.length === 0) continue
      const codes: NonNullable<Result['codes']> = Object.fromEntries(fields.map(field => [field, ['does_not_exist']]))
      const result = { id: edit.number, status: 424, code: 'dependency_failed', reason: 'removed' as const, codes }
      this.change(edit, { status: 'refused', result })
    }
  }

  #merge (edit: Edit, { body, base, createdAt }: NewEdit) {
    const merged = { body: { ...edit.body, ...body }, createdAt: { ...edit.createdAt, ...createdAt } }
    this.change(edit, edit.op === 'create' ? merged : { ...merged, base: { ...base, ...edit.base } })
  }
}

/** Whether an edit can be part of the one before it in the queue. */
function canMerge (last: Edit, edit: NewEdit) {
  if (last.status !== 'queued' || last.op === 'delete' || edit.op !== 'update' || !isSameRecord(last, edit)) return false
  return !changesState(last) && !changesState(edit)
}
