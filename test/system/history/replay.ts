import { told, type Act, type Change, type History, type ResourceName } from './act.ts'
import { due, nothing, type Due, type State } from './model.ts'

/** The history in the order that the change log gives it. */
export interface Replay {
  /** The company's records, by revision. */
  states: State[]
  /** The first and the last revision of what each act has written. */
  spans: Map<Act, { first: number, last: number }>
  /** Revisions that nobody may see: some of an act's writes are done and others are not. */
  hidden: Set<number>
  /** What is wrong with the order; the states end with the first such revision. */
  faults: string[]
}

/** A write that was acknowledged, as its answer has it. */
interface Claim {
  act: Act
  /** Its place among the act's writes. */
  place: number
}

/** Whether an act has written: an answer that was given before has not. */
export function hasWritten ({ method, status, replayed }: Act): boolean {
  return method !== 'GET' && status < 300 && !replayed
}

/**
 * Does what was acknowledged once more, in the order of the change log, one act after the other. The log is no more than a witness: each of
 * its lines must be one act's, each act must have its lines, and each act must be one that the API promises to carry out, being done then.
 */
export function replay ({ acts, log }: History): Replay {
  const faults: string[] = []
  const claims = claimsOf(acts, faults)
  const states: State[] = [nothing]
  const spans: Replay['spans'] = new Map()
  const versions = new Map<string, number>()
  /** What was due to each act when its turn came. */
  const dues = new Map<Act, Due>()
  const result = { states, spans, hidden: new Set<number>(), faults }

  for (const [revision, changes] of Map.groupBy(log, ({ revision }) => revision)) {
    if (revision !== states.length) faults.push(`the change log goes from revision ${states.length - 1} to ${revision}`)
    const before = states.at(-1) as State
    const state = { contracts: new Map(before.contracts), estimates: new Map(before.estimates) }
    for (const { claim, id, version, change } of inOrder(changes.map(change => ({ change, ...claimOf(change) })))) {
      if (claim === undefined) faults.push(`${change.operation} of ${change.resource} ${id} at revision ${revision}: nobody was told of version ${version}`)
      else write(claim, id, version, revision, state)
    }
    if (faults.length > 0) break
    states.push(state)
  }
  if (faults.length === 0) faults.push(...[...claims.values()].map(({ act }) => `acknowledged, and never done: ${told(act)}`))
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
    const asked = dues.get(act) ?? due(state, act)
    dues.set(act, asked)
    const wanted = 'writes' in asked ? asked.writes[place] : undefined
    if (!('writes' in asked) || wanted === undefined || asked.status !== act.status) {
      const why = 'fields' in asked && asked.fields.length > 0 ? ` for ${asked.fields.join(', ')}` : ''
      faults.push(`${asked.status}${why} was due at revision ${revision}: ${told(act)}`)
    } else if (wanted.id === undefined ? version !== 1 : wanted.id !== id) {
      faults.push(`another record than ${wanted.resource} ${wanted.id ?? 'a new one'} was written, ${id}: ${told(act)}`)
    } else if (wanted.fields === undefined) {
      state[wanted.resource].delete(id)
    } else {
      state[wanted.resource].set(id, { ...wanted.fields, id, version })
    }
  }
}

/** Within a statement, estimates are numbered in the order in which they are made. */
function inOrder<T extends { id: number, claim: Claim | undefined }> (changes: T[]): T[] {
  const place = ({ claim, id }: T) => {
    const { answer } = claim?.act ?? {}
    return (answer?.results?.[claim?.place as number] ?? answer)?.numero ?? id
  }
  return changes.sort((a, b) => place(a) - place(b))
}

/** Who was told of each version of each record. */
function claimsOf (acts: Act[], faults: string[]): Map<string, Claim> {
  const claims = new Map<string, Claim>()
  for (const act of acts.filter(hasWritten)) {
    const [resource, id] = act.path.split('/') as [ResourceName, string]
    const records: Array<{ id: number, version: number | string }> = act.method === 'DELETE' ? [{ id: Number(id), version: 'gone' }] : act.answer.results ?? [act.answer]
    for (const [place, record] of records.entries()) {
      const name = `${resource}/${record.id}/${record.version}`
      const other = claims.get(name)
      if (other !== undefined) faults.push(`two were told of version ${record.version} of ${resource} ${record.id}: ${told(other.act)} and ${told(act)}`)
      claims.set(name, { act, place })
    }
  }
  return claims
}
