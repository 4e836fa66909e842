import { readTag, type Act } from './act.ts'
import type { Replay } from './replay.ts'

/** Bounds from the order of time: the revisions possible at a tick. */
export interface Clock {
  /** The latest revision that an answer had shown or acknowledged before the tick. */
  least: (tick: number) => number
  /** The latest revision without the writes that were sent after the tick. */
  most: (tick: number) => number
}

/** The revision that an answer shows or acknowledges. */
export function revisionOf (act: Act, spans: Replay['spans']): number | undefined {
  return act.method === 'GET' && (act.status === 200 || act.status === 304) ? readTag(act.etag).revision : spans.get(act)?.last
}

/**
 * Derives the bounds from the answers of a history.
 * @param acts all acts @param replay the revisions of each write, and the number of revisions
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
  for (let tick = 1; tick < ticks; tick++) least[tick] = Math.max(least[tick], least[tick - 1])
  for (let tick = ticks - 2; tick >= 0; tick--) most[tick] = Math.min(most[tick], most[tick + 1])
  return { least: tick => least[tick], most: tick => most[tick] }
}
