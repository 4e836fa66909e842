import { isChangeable, isLocalId, referencesOf, referredIn } from './edit.js'

/** @import { Edit } from './edit.js' */
/** @import { Id } from './index.d.ts' */
/** @import { Scope, State, Values } from './scope.js' */
/** @typedef {(edit: Edit, field: string) => unknown} Theirs the server's value of a field in conflict */
/** @typedef {{ theirs: Theirs, resolves: (field: string, theirs: unknown) => boolean }} Conflicts `resolves`: whether the user has decided a conflict with this value */

/** The edits of a scope, in a write transaction. `save` writes the changes. */
export class Edits {
  /** @type {Map<number, Edit | undefined>} */
  #changed = new Map()

  /**
   * @param {Scope} scope
   * @param {State} state
   * @param {Edit[]} all in order
   */
  constructor (scope, state, all) {
    this.scope = scope
    this.state = state
    this.all = all
  }

  /** @param {Scope} scope */
  static async load (scope) {
    return new Edits(scope, await scope.state(), await scope.allEdits())
  }

  async save () {
    const { scope, state } = this
    await scope.transaction.write([[scope.stateKey, state], ...[...this.#changed].map(([number, edit]) => /** @type {[string, unknown]} */ ([scope.editKey(number), edit]))])
  }

  /** @param {string} resource @param {Id} record */
  of (resource, record) {
    return this.all.filter(edit => edit.record === record && edit.resource === resource)
  }

  /** Adds an edit at the end. @param {Omit<Edit, 'number' | 'status'>} edit */
  add (edit) {
    const number = this.state.last += 1
    this.all.push({ ...edit, number, status: 'queued' })
    this.#changed.set(number, this.all.at(-1))
  }

  /** @param {Edit} edit @param {Partial<Edit>} values */
  change (edit, values) {
    const changed = { ...edit, ...values }
    this.all.splice(this.all.indexOf(edit), 1, changed)
    this.#changed.set(edit.number, changed)
  }

  /** @param {Edit[]} edits */
  drop (edits) {
    for (const edit of edits) {
      this.all.splice(this.all.indexOf(edit), 1)
      this.#changed.set(edit.number, undefined)
    }
  }

  /**
   * Queues an edit of fields. It becomes part of the last queued edit of the record. Refused edits are sent again with it, and edits in conflict
   * in one of its fields.
   * @param {string} resource
   * @param {Id} record
   * @param {{ body: Values, before: Values, base?: Values, createdAt?: Record<string, string>, theirs: Theirs }} edit `before`: the values in the
   *   record; `base`: values that the user saw instead
   */
  update (resource, record, { body, before, base: shown = {}, createdAt, theirs }) {
    const all = this.of(resource, record)
    const last = all.at(-1)
    const base = Object.fromEntries(Object.entries({ ...before, ...shown }).filter(([field, value]) => field in body && value !== undefined))
    this.drop(all.filter(({ op, status }) => op === 'delete' && status === 'refused'))
    const isInConflict = all.some(({ status, result }) => status === 'conflict' && Object.keys(result?.fields ?? {}).some(field => field in body))
    if (isInConflict || all.some(({ op, status }) => op !== 'delete' && status === 'refused')) {
      // A user who saw another value than the server's has not decided the conflict.
      const resolves = (/** @type {string} */ field, /** @type {unknown} */ value) => field in body && (!(field in shown) || shown[field] === value)
      this.sendAgain(resource, record, { body, base, createdAt, ...isInConflict && { conflicts: { theirs, resolves } } })
    } else if (last?.status === 'queued' && !Object.entries(body).some(([field, value]) => isLocalId(value) && field in referencesOf(resource))) {
      // Not with a reference to a record whose creation may be queued after this edit.
      this.change(last, { createdAt: { ...last.createdAt, ...createdAt }, body: { ...last.body, ...body }, ...last.op === 'update' && { base: { ...base, ...last.base } } })
    } else {
      this.add({ op: 'update', resource, record, body, base, createdAt })
    }
  }

  /**
   * Replaces the queued and refused edits of a record by one at the end of the queue.
   * @param {string} resource
   * @param {Id} record
   * @param {{ body?: Values, base?: Values, createdAt?: Record<string, string>, without?: string[], conflicts?: Conflicts }} change `without`: fields
   *   that are left out; `conflicts`: the edits in conflict are replaced too
   */
  sendAgain (resource, record, { body = {}, base = {}, createdAt = {}, without = [], conflicts }) {
    const all = this.of(resource, record)
    const replaced = all.filter(edit => isChangeable(edit) && edit.op !== 'delete' && (edit.status !== 'conflict' || conflicts !== undefined))
    const isNew = replaced.some(({ op }) => op === 'create')
    // A refused creation is complete: no later edit can have been accepted.
    const latest = replaced.map(edit => edit.op === 'create' ? edit : withoutFields(edit, all.filter(other => other.number > edit.number && !replaced.includes(other))))
    const wanted = Object.assign({}, ...latest.map(edit => edit.body), body)
    const bases = { ...base, ...basesOf(latest, conflicts) }
    const times = Object.assign({}, ...replaced.map(edit => edit.createdAt), createdAt)
    for (const field of without) {
      delete wanted[field]
      delete bases[field]
    }
    this.drop(replaced)
    if (isNew) {
      this.add({ op: 'create', resource, record, body: wanted, createdAt: times })
      this.#sendDependentsAgain(record)
    } else if (Object.keys(wanted).length > 0) {
      this.add({ op: 'update', resource, record, body: wanted, base: bases, createdAt: times })
    }
  }

  /** Moves the edits that need a record behind its creation. @param {Id} record */
  #sendDependentsAgain (record) {
    const needed = new Set([record])
    for (const edit of [...this.all]) {
      const { op, status, result } = edit
      if (op === 'create' && needed.has(edit.record)) continue
      const isWaiting = status === 'queued' || (status === 'refused' && result?.status === 424)
      if (!isWaiting || ![edit.record, ...referredIn(edit)].some(id => needed.has(id))) continue
      if (op === 'create') needed.add(edit.record)
      this.#move(edit)
    }
  }

  /**
   * Later queued edits of the same fields began with a value that the server does not have: they get the base of the edit that the server
   * refused. A queued correction of a refused edit is sent with it.
   * @param {Edit} edit
   */
  rebase ({ number, resource, record, op, body = {}, base = {} }) {
    const later = this.of(resource, record).filter(other => other.number > number && other.op === 'update' && other.status === 'queued')
    if (later.length === 0 || op === 'delete') return
    if (this.all.find(other => other.number === number)?.status === 'refused') {
      this.sendAgain(resource, record, {})
    } else {
      for (const other of later) {
        const shared = Object.keys(base).filter(field => Object.hasOwn(other.body ?? {}, field) && Object.hasOwn(body, field))
        this.change(other, { base: { ...other.base, ...Object.fromEntries(shared.map(field => [field, base[field]])) } })
      }
    }
  }

  /** Queues a refused edit again if the creation that it needs was corrected while the edit was being sent. @param {number} number */
  sendAfterCreation (number) {
    const edit = this.all.find(edit => edit.number === number)
    if (edit === undefined) return
    const needed = [edit.record, ...referredIn(edit)]
    if (this.all.some(other => other.op === 'create' && other.status === 'queued' && other.number > number && needed.includes(other.record))) this.#move(edit)
  }

  /** Replaces a corrected creation: the server had taken the first one, although its answer was another. @param {number} number */
  updateInstead (number) {
    const edit = this.all.find(edit => edit.number === number)
    if (edit?.op !== 'create') return
    const { resource, record, body, createdAt } = edit
    this.drop([edit])
    this.add({ op: 'update', resource, record, body, base: {}, createdAt })
  }

  /** Moves an edit to the end of the queue. @param {Edit} edit */
  #move (edit) {
    const { op, resource, record, body, base, version, createdAt } = edit
    this.drop([edit])
    this.add({ op, resource, record, body, base, version, createdAt })
  }

  /**
   * Queues the removal of a record. Its open edits are dropped; a record that the server never had leaves no trace.
   * @param {string} resource
   * @param {Id} record
   * @param {{ version?: number, createdAt?: Record<string, string> }} server version and time of creation of the server's record, if this device has it
   */
  remove (resource, record, { version, createdAt }) {
    const open = this.of(resource, record).filter(isChangeable)
    this.drop(open)
    if (open.some(({ op }) => op === 'create')) return
    const left = this.of(resource, record)
    const isCertain = left.every(({ status }) => status === 'accepted')
    const versions = [version, ...left.map(({ result }) => result?.record?.version)].filter(one => one !== undefined)
    this.add({ op: 'delete', resource, record, createdAt, ...isCertain && versions.length > 0 && { version: Math.max(...versions) } })
  }

  /** Drops an edit. A refused creation takes the later edits of its record with it. @param {number} number */
  discard (number) {
    const edit = this.all.find(edit => edit.number === number)
    if (edit !== undefined && isChangeable(edit)) this.drop(edit.op === 'create' ? this.of(edit.resource, edit.record).filter(isChangeable) : [edit])
  }
}

/**
 * An edit without the fields that later edits write: one that is being sent has the newer value.
 * @param {Edit} edit
 * @param {Edit[]} later
 * @returns {Edit}
 */
function withoutFields (edit, later) {
  const isLatest = (/** @type {[string, unknown]} */ [field]) => !later.some(({ body = {} }) => Object.hasOwn(body, field))
  const left = (/** @type {Values} */ values) => Object.fromEntries(Object.entries(values).filter(isLatest))
  return { ...edit, body: left(edit.body ?? {}), base: left(edit.base ?? {}) }
}

/**
 * The values on which edits of a record are based: the oldest one of each field, or the server's if the user has decided a conflict with it.
 * @param {Edit[]} edits in order
 * @param {Conflicts} [conflicts]
 * @returns {Values}
 */
function basesOf (edits, conflicts) {
  const oldest = Object.assign({}, ...edits.toReversed().map(({ base }) => base))
  const decided = edits.flatMap(edit => Object.keys(edit.result?.fields ?? {}).filter(field => Object.hasOwn(edit.body ?? {}, field)).map(field => /** @type {[string, unknown]} */ ([field, conflicts?.theirs(edit, field)])))
  return { ...oldest, ...Object.fromEntries(decided.filter(([field, theirs]) => conflicts?.resolves(field, theirs))) }
}
