import { describe, type Act, type Change, type History, type ResourceName } from './act.ts'
import { applied, effectsOf, type Effects } from './effects.ts'
import { due, type Due } from './model.ts'
import { draftOf, nothing, type Draft, type State, type Write } from './state.ts'

/** The history in the order of the change log. */
export interface Replay {
  /** The company's records, by revision. */
  states: State[]
  /** The first and last revision of each act's writes and of what follows from them. */
  spans: Map<Act, { first: number, last: number }>
  /** Revisions in the middle of an act's writes, which no read may show. */
  hidden: Set<number>
  /** Faults of the order. The states end at the first fault. */
  faults: string[]
}

/** An acknowledged write of one record. */
interface Claim {
  act: Act
  /** Its index among the writes of the act. */
  place: number
}

/** A change of the log with the version that it makes. */
interface Versioned extends Change {
  version: number
  /** The estimate of a payment that was shown: several payments of one statement can have their ids in any order. */
  estimate: number | undefined
}

/** The same, with the act that wrote it. Without one, it follows from another write. */
interface Claimed extends Versioned {
  claim: Claim | undefined
}

/** How much later the version in the answer to a change can be, because writes of the same transaction changed the record again. */
const mostLater = 100

/** By resource, those whose writes change its records by a trigger for each row: that change is logged before the write. Other effects are logged after it. */
const causesBefore: Partial<Record<ResourceName, ResourceName[]>> = { contracts: ['estimates', 'convenios'], estimates: ['conceptos'] }

/** Whether an act has written. A replayed answer has not. */
export function hasWritten ({ method, status, replayed }: Act): boolean {
  return method !== 'GET' && status < 300 && !replayed
}

/**
 * Repeats the acknowledged writes one by one in the order of the change log. The log only gives the order: each of its entries must
 * belong to one act, or follow from the writes of one statement, each act must have its entries, and the API must guarantee each act in the
 * state where it is repeated.
 */
export function replay (history: History): Replay {
  return new Replaying(history).result
}

class Replaying {
  readonly result: Replay = { states: [nothing], spans: new Map(), hidden: new Set(), faults: [] }
  readonly #claims: Map<string, Claim>
  /** The statements of the log, by revision. */
  readonly #statements: Array<[revision: number, changes: Versioned[]]>
  /** The expected answer of each act, computed at its first write. */
  readonly #dues = new Map<Act, Due>()
  /** Changes without an act before the statement from which they follow. */
  #early: Claimed[] = []
  /** What still follows from the last statement, and the acts of that statement. */
  #following: { effects: Effects, acts: Act[] } = { effects: new Map(), acts: [] }

  constructor (history: History) {
    const { acts } = history
    const { states, spans, hidden, faults } = this.result
    this.#claims = claimsOf(acts, faults)
    this.#statements = [...Map.groupBy(versioned(history), ({ revision }) => revision)]
    for (const [index, [revision, changes]] of this.#statements.entries()) {
      if (revision !== states.length) faults.push(`the change log goes from revision ${states.length - 1} to ${revision}`)
      this.#statement(revision, this.#claim(changes, index))
      if (faults.length > 0) break
    }
    if (faults.length === 0) this.#endStatement()
    if (faults.length === 0) faults.push(...this.#early.map(change => this.#unclaimed(change)))
    if (faults.length === 0) faults.push(...[...this.#claims.values()].map(({ act }) => `acknowledged but never done: ${describe(act)}`))
    for (const [act, { first, last }] of spans) {
      if (last >= states.length) spans.delete(act)
      for (let revision = first; revision < last; revision++) hidden.add(revision)
    }
  }

  /** Finds the acts of a statement: all of its changes have one, or all of them follow from other writes. */
  #claim (changes: Versioned[], index: number): Claimed[] {
    const claimed = changes.map(change => ({ ...change, claim: this.#take(keyOfClaim(change)) }))
    const isWritten = claimed.some(({ claim }) => claim !== undefined)
    const follows = !isWritten && (changes.every(change => keyOf(change, this.#following.effects) !== undefined) || this.#isEarly(changes, index))
    return follows ? claimed : claimed.map(({ claim, ...change }) => ({ ...change, claim: claim ?? this.#later(change) }))
  }

  #take (key: string): Claim | undefined {
    const claim = this.#claims.get(key)
    this.#claims.delete(key)
    return claim
  }

  /** The act that wrote a version, and was answered with a later one. */
  #later ({ operation, ...change }: Versioned): Claim | undefined {
    if (operation !== 'update') return undefined
    for (let version = change.version + 1; version < change.version + mostLater; version++) {
      const claim = this.#take(keyOfClaim({ ...change, operation, version }))
      if (claim !== undefined) return claim
    }
    return undefined
  }

  /** Whether changes follow from the next statement of acts and are logged before it, see {@link causesBefore}. */
  #isEarly (changes: Versioned[], index: number): boolean {
    const state = this.result.states.at(-1) as State
    const [, next = []] = this.#statements.slice(index + 1).find(([, changes]) => changes.some(change => this.#claims.has(keyOfClaim(change)))) ?? []
    const writes = next.flatMap((change) => {
      const claim = this.#claims.get(keyOfClaim(change))
      const expected = claim === undefined ? undefined : due(state, claim.act)
      const write = claim !== undefined && expected !== undefined && 'writes' in expected ? expected.writes[claim.place] : undefined
      return write === undefined ? [] : [{ ...write, id: change.id }]
    })
    return changes.every((change) => {
      const causes = writes.filter(({ resource }) => causesBefore[change.resource]?.includes(resource))
      return keyOf(change, effectsOf(state, causes)) !== undefined
    })
  }

  #unclaimed ({ operation, resource, id, revision, version }: Claimed): string {
    return `${operation} of ${resource} ${id} at revision ${revision}: no act was answered with version ${version}`
  }

  #statement (revision: number, changes: Claimed[]): void {
    const { states, faults } = this.result
    const state = draftOf(states.at(-1) as State)
    const others = changes.filter(({ claim }) => claim === undefined)
    if (others.length < changes.length) {
      faults.push(...others.map(change => this.#unclaimed(change)))
      this.#endStatement()
      if (faults.length === 0) this.#write(revision, inOrder(changes), state)
    } else if (!this.#follow(revision, others, state)) {
      this.#early.push(...others)
    }
    if (faults.length === 0) states.push(state)
  }

  /** Applies changes that follow from the last statement. @returns whether they all do */
  #follow (revision: number, changes: Claimed[], state: Draft): boolean {
    const { effects, acts } = this.#following
    const { spans } = this.result
    if (!changes.every(change => keyOf(change, effects) !== undefined)) return false
    for (const change of changes) apply(change, effects, state)
    for (const act of acts) spans.set(act, { first: spans.get(act)?.first ?? revision, last: revision })
    return true
  }

  #endStatement (): void {
    const { effects, acts } = this.#following
    if (effects.size > 0) this.result.faults.push(`no change of ${[...effects.keys()].join(', ')} follows: ${acts.map(describe).join('; ')}`)
  }

  /** Applies the writes of a statement, and the changes before it that follow from them. */
  #write (revision: number, changes: Claimed[], state: Draft): void {
    const { spans, faults, states } = this.result
    const first = this.#early[0]?.revision ?? revision
    const writes: Array<Write & { id: number, version: number }> = []
    // Each write of a statement sees what follows from the ones before it.
    let seen = states.at(-1) as State
    for (const change of changes) {
      const { act, place } = change.claim as Claim
      spans.set(act, { first: spans.get(act)?.first ?? first, last: revision })
      const wanted = this.#wanted(act, place, change, seen)
      if (wanted === undefined) return
      const write = { ...wanted, id: change.id, version: change.version }
      writes.push(write)
      seen = applied(seen, [write])
    }
    const effects = effectsOf(states.at(-1) as State, writes)
    for (const { resource, id, fields, version } of writes) {
      if (fields === undefined) state[resource].delete(id)
      else state[resource].set(id, { ...fields, id, version })
    }
    for (const change of this.#early) {
      if (keyOf(change, effects) === undefined) faults.push(this.#unclaimed(change))
      else apply(change, effects, state)
    }
    this.#early = []
    this.#following = { effects, acts: changes.map(({ claim }) => (claim as Claim).act) }
  }

  /** The write that the API guarantees for a part of an act. */
  #wanted (act: Act, place: number, { id, version, revision }: Claimed, state: State): Write | undefined {
    const { faults } = this.result
    const expected = this.#dues.get(act) ?? due(state, act)
    this.#dues.set(act, expected)
    const wanted = 'writes' in expected ? expected.writes[place] : undefined
    if (wanted === undefined || expected.status !== act.status) {
      const why = 'fields' in expected && expected.fields.length > 0 ? ` for ${expected.fields.join(', ')}` : ''
      faults.push(`expected ${expected.status}${why} at revision ${revision}: ${describe(act)}`)
      return undefined
    }
    if (wanted.id === undefined ? version === 1 : wanted.id === id) return wanted
    faults.push(`record ${id} was written instead of ${wanted.resource} ${wanted.id ?? 'a new one'}: ${describe(act)}`)
    return undefined
  }
}

/** The changes with their versions. */
function versioned ({ acts, log, rows }: History): Versioned[] {
  const versions = new Map<string, number>()
  const shown = acts.filter(({ path, answer }) => path.startsWith('pagos/') && answer !== undefined).flatMap(({ answer }) => answer.results ?? [answer])
  const estimates = new Map([...shown, ...rows.pagos].map(({ id, estimate }) => [id, estimate]))
  return log.map((change) => {
    const name = `${change.resource}/${change.id}`
    const version = (versions.get(name) ?? 0) + 1
    versions.set(name, version)
    return { ...change, version, estimate: change.resource === 'pagos' ? estimates.get(change.id) : undefined }
  })
}

/** The key of the claim of an act that was answered with this version. */
function keyOfClaim ({ resource, id, operation, version }: Versioned): string {
  return `${resource}/${id}/${operation === 'delete' ? 'gone' : version}`
}

/** The key of the effect that a change can be. */
function keyOf ({ resource, id, operation, estimate }: Omit<Versioned, 'version'>, effects: Effects): string | undefined {
  const isNew = (key: string) => key.startsWith(`${resource}/new/`) && (estimate === undefined || key.endsWith(`/${estimate}`))
  const key = operation === 'insert' ? effects.keys().find(isNew) ?? '' : `${resource}/${id}`
  const effect = effects.get(key)
  return effect !== undefined && (effect.fields === undefined) === (operation === 'delete') ? key : undefined
}

/** Applies the effect that a change is. */
function apply (change: Claimed, effects: Effects, state: Draft): void {
  const { resource, id, version } = change
  const key = keyOf(change, effects) as string
  const fields = effects.get(key)?.fields
  effects.delete(key)
  if (fields === undefined) state[resource].delete(id)
  else state[resource].set(id, { ...state[resource].get(id), ...fields, id, version })
}

/**
 * Sorts the changes of one statement: numbered records are created in the order of their numbers. Advance documents have their own numbers,
 * and come first: none is created after a finiquito.
 */
function inOrder (changes: Claimed[]): Claimed[] {
  const place = ({ claim, id }: Claimed): number => {
    const { answer } = claim?.act ?? {}
    const { numero = id, tipo } = answer?.results?.[claim?.place as number] ?? answer ?? {}
    return tipo === 'anticipo' ? numero - Number.MAX_SAFE_INTEGER : numero
  }
  return changes.sort((a, b) => place(a) - place(b))
}

/** The act that was answered with each version of each record. */
function claimsOf (acts: Act[], faults: string[]): Map<string, Claim> {
  const claims = new Map<string, Claim>()
  for (const act of acts.filter(hasWritten)) {
    const [resource, id] = act.path.split('/') as [ResourceName, string]
    const records: Array<{ id: number, version: number | string }> = act.method === 'DELETE' ? [{ id: Number(id), version: 'gone' }] : act.answer.results ?? [act.answer]
    for (const [place, record] of records.entries()) {
      const name = `${resource}/${record.id}/${record.version}`
      const other = claims.get(name)
      if (other !== undefined) faults.push(`version ${record.version} of ${resource} ${record.id} was acknowledged twice: ${describe(other.act)} and ${describe(act)}`)
      claims.set(name, { act, place })
    }
  }
  return claims
}
