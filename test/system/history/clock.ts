import { readTag, type Act } from './act.ts'
import type { Replay } from './replay.ts'

/** What time says of the order: what was there at a tick at the least, and at the most. */
export interface Clock {
  /** The latest revision that an answer had shown, or acknowledged, before that. */
  least: (tick: number) => number
  /** The latest revision that does not have what was sent only after that. */
  most: (tick: number) => number
}

/** The revision that an answer tells of. */
export function revisionOf (act: Act, spans: Replay['spans']): number | undefined {
  return act.method === 'GET' && (act.status === 200 || act.status === 304) ? readTag(act.etag).revision : spans.get(act)?.last
}

/**
 * What the answers of a history say of the order of time.
 * @param acts all that was done @param replay the revisions that writes made, and how many there are
 */
export function clockOf (acts: Act[], { spans, states }: Replay): Clock {
  const ticks = Math.max(0, ...acts.map(({ answered }) => answered)) + 2
  const least = new Array<number>(ticks).fill(0)
  const most = new Array<number>(ticks).fill(states.length - 1)
  for (const act of acts) {
    least[act.answered] = revisionOf(act, spans) || 0
    const span = spans.get(act)
    if (span !== undefined) most[act.sent] = span.first - 1
  }
  for (let tick = 1; tick < ticks; tick++) least[tick] = Math.max(least[tick] as number, least[tick - 1] as number)
  for (let tick = ticks - 2; tick >= 0; tick--) most[tick] = Math.min(most[tick] as number, most[tick + 1] as number)
  return { least: tick => least[tick] as number, most: tick => most[tick] as number }
}
