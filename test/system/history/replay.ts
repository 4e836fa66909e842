import { describe, type Act, type Change, type History, type ResourceName } from './act.ts'
import { due, nothing, type Due, type State } from './model.ts'

/** The history in the order of the change log. */
export interface Replay {
  /** The company's records, by revision. */
  states: State[]
  /** The first and last revision of each act's writes. */
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

/** Whether an act has written. A replayed answer has not. */
export function hasWritten ({ method, status, replayed }: Act): boolean {
  return method !== 'GET' && status < 300 && !replayed
}

/**
 * Repeats the acknowledged writes one by one in the order of the change log. The log only gives the order: each of its entries must
 * belong to one act, each act must have its entries, and the API must guarantee each act in the state where it is repeated.
 */
export function replay ({ acts, log }: History): Replay {
  const faults: string[] = []
  const claims = claimsOf(acts, faults)
  const states: State[] = [nothing]
  const spans: Replay['spans'] = new Map()
  const versions = new Map<string, number>()
  /** The expected answer of each act, computed at its first write. */
  const dues = new Map<Act, Due>()
  const result = { states, spans, hidden: new Set<number>(), faults }

  for (const [revision, changes] of Map.groupBy(log, ({ revision }) => revision)) {
    if (revision !== states.length) faults.push(`the change log goes from revision ${states.length - 1} to ${revision}`)
    const before = states.at(-1) as State
    const state = { contracts: new Map(before.contracts), estimates: new Map(before.estimates) }
    for (const { claim, id, version, change } of inOrder(changes.map(change => ({ change, ...claimOf(change) })))) {
      if (claim === undefined) faults.push(`${change.operation} of ${change.resource} ${id} at revision ${revision}: no act was answered with version ${version}`)
      else write(claim, id, version, revision, state)
    }
    if (faults.length > 0) break
    states.push(state)
  }
  if (faults.length === 0) faults.push(...[...claims.values()].map(({ act }) => `acknowledged but never done: ${describe(act)}`))
  for (const [act, { first, last }] of spans) {
    if (last >= states.length) spans.delete(act)
    for (let revision = first; revision < last; revision++) result.hidden.add(revision)
  }
  return result

  function claimOf ({ resource, id, operation }: Change): { claim: Claim | undefined, id: number, version: number } {
    const name = `${resource}/${id}`
    const version = (versions.get(name) ?? 0) + 1
    versions.set(name, version)
    const key = `${name}/${operation === 'delete' ? 'gone' : version}`
    const claim = claims.get(key)
    claims.delete(key)
    return { claim, id, version }
  }

  function write ({ act, place }: Claim, id: number, version: number, revision: number, state: Record<ResourceName, Map<number, any>>): void {
    spans.set(act, { first: spans.get(act)?.first ?? revision, last: revision })
    const expected = dues.get(act) ?? due(state, act)
    dues.set(act, expected)
    const wanted = 'writes' in expected ? expected.writes[place] : undefined
    if (!('writes' in expected) || wanted === undefined || expected.status !== act.status) {
      const why = 'fields' in expected && expected.fields.length > 0 ? ` for ${expected.fields.join(', ')}` : ''
      faults.push(`expected ${expected.status}${why} at revision ${revision}: ${describe(act)}`)
    } else if (wanted.id === undefined ? version !== 1 : wanted.id !== id) {
      faults.push(`record ${id} was written instead of ${wanted.resource} ${wanted.id ?? 'a new one'}: ${describe(act)}`)
    } else if (wanted.fields === undefined) {
      state[wanted.resource].delete(id)
    } else {
      state[wanted.resource].set(id, { ...wanted.fields, id, version })
    }
  }
}

/** Sorts the changes of one statement: estimates are numbered in the order in which they are created. */
function inOrder<T extends { id: number, claim: Claim | undefined }> (changes: T[]): T[] {
  const place = ({ claim, id }: T) => {
    const { answer } = claim?.act ?? {}
    return (answer?.results?.[claim?.place as number] ?? answer)?.numero ?? id
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
