import { readTag, resources, describe, type Act, type History, type ResourceName } from './act.ts'
import { clockOf, revisionOf, type Clock } from './clock.ts'
import { keyFaults } from './keys.ts'
import { due } from './model.ts'
import { hasWritten, replay, type Replay } from './replay.ts'
import { difference, shown, shownRecord } from './shown.ts'
import type { State } from './state.ts'

/**
 * Checks that a history is strictly serializable: some serial order of all acknowledged requests explains every answer, and it
 * agrees with time. A request comes after everything acknowledged or shown before it was sent, and before everything sent after its answer.
 * @returns the faults, one line each
 */
export function faultsOf (history: History): string[] {
  const { acts } = history
  const order = replay(history)
  const clock = clockOf(acts, order)
  const judge = judgeOf(history, order, clock)
  // If the order is incomplete, the answers received before the first unordered write was sent can still be checked.
  const end = Math.min(...acts.filter(act => hasWritten(act) && !order.spans.has(act)).map(({ sent }) => sent))
  const judged = acts.filter(({ answered }) => answered < end)
  return [
    ...acts.filter(hasFailed).map(act => `failed: ${describe(act)} ${JSON.stringify(act.answer)}`),
    ...keyFaults(acts),
    ...order.faults,
    ...judged.filter(act => !hasFailed(act)).flatMap(act => judge(act) ?? []),
    ...otherBodies(acts),
    ...order.faults.length === 0 ? endFaults(history, order.states.at(-1) as State) : []
  ]
}

/** Whether the status is one that no request of a history may get. */
const hasFailed = ({ status }: Act) => status >= 300 && ![304, 400, 404, 409, 412].includes(status)

function judgeOf ({ company, acts }: History, { states, spans, hidden }: Replay, { least, most }: Clock): (act: Act) => string | undefined {
  const cursors = cursorsOf(acts)

  /** Whether a condition holds in one of the states in which the act may have been answered. */
  function once (act: Act, is: (state: State) => boolean, from = least(act.sent)): boolean {
    for (let revision = from; revision <= most(act.answered); revision++) {
      if (!hidden.has(revision) && is(states[revision])) return true
    }
    return false
  }

  const between = (act: Act) => `from revision ${least(act.sent)} to ${most(act.answered)}: ${describe(act)}`

  function timeFault (act: Act): string | undefined {
    const first = spans.get(act)?.first ?? revisionOf(act, spans) as number
    const { last } = spans.get(act) ?? { last: first }
    if (first < least(act.sent) || (spans.has(act) && first === least(act.sent))) return `stale: revision ${first} after ${least(act.sent)} was acknowledged or shown: ${describe(act)}`
    return last <= most(act.answered) ? undefined : `revision ${last} when ${most(act.answered)} was the latest possible: ${describe(act)}`
  }

  function readFault (act: Act): string | undefined {
    const { path, etag, ifNoneMatch, answer, status } = act
    if (status === 404) return once(act, state => shown(state, company, path, cursors.get(path)) === undefined) ? undefined : `404 for an existing record ${between(act)}`
    const tag = readTag(etag)
    const state = states[tag.revision]
    if (tag.company !== company || state === undefined) return `an ETag with an unknown revision or company: ${describe(act)}`
    if (hidden.has(tag.revision)) return `part of a write: ${describe(act)}`
    const late = timeFault(act)
    if (late !== undefined) return late
    if (status === 304) return etag === ifNoneMatch ? undefined : `304 to another ETag: ${describe(act)}`
    const body = answer.results === undefined ? answer : { ...answer, next: answer.next !== null }
    const wrong = difference(shown(state, company, path, cursors.get(path)) ?? 'nothing', body) ??
      (/^\w+\/\d+\/$/.test(path) ? difference(answer.version, tag.version, 'the version of the ETag') : undefined)
    return wrong === undefined ? undefined : `${wrong}: ${describe(act)}`
  }

  function writeFault (act: Act): string | undefined {
    const late = timeFault(act)
    if (late !== undefined || act.status === 204) return late
    const [resource] = act.path.split('/') as [ResourceName]
    const records: Array<{ id: number }> = act.answer.results ?? [act.answer]
    const wrong = (state: State) => difference(records.map(({ id }) => shownRecord(state, company, resource, id)), records) ??
      (act.answer.count === undefined ? undefined : difference(records.length, act.answer.count, 'count'))
    const { last } = spans.get(act) as { last: number }
    return once(act, state => wrong(state) === undefined, last) ? undefined : `${wrong(states[last])}: ${describe(act)}`
  }

  function refusalFault (act: Act): string | undefined {
    const fields = Object.keys(act.answer.errors ?? {}).sort()
    const right = (state: State) => {
      const expected = due(state, act)
      return expected.status === act.status && 'fields' in expected && difference([...expected.fields].sort(), fields) === undefined
    }
    return once(act, right) ? undefined : `${[act.status, ...fields].join(' ')} for no reason ${between(act)}`
  }

  return (act) => {
    if (act.method === 'GET') return readFault(act)
    if (hasWritten(act)) return writeFault(act)
    // `keyFaults` checks replays and 409s of requests with a key.
    return act.replayed || (act.status === 409 && act.key !== undefined) ? undefined : refusalFault(act)
  }
}

/** The last record before each page that a `next` link leads to. */
function cursorsOf (acts: Act[]): Map<string, number> {
  const pages = acts.filter(({ answer }) => typeof answer?.next === 'string')
  return new Map(pages.map(({ answer }) => [pathOf(answer.next), answer.results.at(-1)?.id]))
}

/** The path of a link in an answer, relative to `/api/v1/`. */
export function pathOf (address: string): string {
  return address.replace(/^.*?\/api\/v1\//, '')
}

/** Bodies that differ although their path and ETag are the same. */
function otherBodies (acts: Act[]): string[] {
  const bodies = new Map<string, string>()
  return acts.filter(({ method, status }) => method === 'GET' && status === 200).flatMap((act) => {
    const name = `${act.path} ${act.etag}`
    const body = JSON.stringify(act.answer)
    const known = bodies.get(name) ?? body
    bodies.set(name, known)
    return known === body ? [] : [`another body with the same ETag: ${describe(act)}`]
  })
}

/** Differences between the final rows and the last acknowledged version of each record. */
function endFaults ({ rows }: History, state: State): string[] {
  return resources.flatMap((resource) => {
    const found = new Map(rows[resource].map(row => [row.id, row]))
    const extra = [...found.keys()].filter(id => !state[resource].has(id)).map(id => `${resource} ${id} is among the final rows, but should not be`)
    const others = [...state[resource]].flatMap(([id, record]) => difference(record, found.get(id) ?? 'gone', `${resource} ${id}`) ?? [])
    return [...extra, ...others.map(fault => `final rows: ${fault}`)]
  })
}
