import { total, type Verdict } from '../trial.ts'
import { count, type Row } from './table.ts'

/** Limits in ms: of the time until the first write after the database is back, and of one request. */
const limits = { back: 1000, answer: 30_000 }

/**
 * The row of a fault that was injected during a write load.
 * @param back longest time in ms from the end of an outage to the next acknowledged write; undefined if the server itself was killed
 */
export function faultRow (what: string, times: number, { tally, lost }: Verdict, back?: number): Row {
  const result = [
    `${count(total(tally))} writes`,
    `${count(tally.unanswered)} unanswered`,
    `${count(tally.unavailable)} × 503`,
    `${count(tally.replayed)} replayed`,
    `slowest ${count(tally.slowest)} ms`,
    ...back === undefined ? [] : [`writes resumed after ${count(back)} ms`]
  ]
  return { what, times, result: result.join(', '), bad: back === undefined ? lost : [...lost, ...unlikeService(tally, back)] }
}

/** Faults of a server whose database, but not the server itself, was interrupted. */
function unlikeService ({ unanswered, slowest }: Verdict['tally'], back: number): string[] {
  return [
    ...unanswered === 0 ? [] : [`${count(unanswered)} requests had no answer`],
    ...back <= limits.back ? [] : [`writes resumed ${count(back)} ms after the database was back, limit ${count(limits.back)} ms`],
    ...slowest <= limits.answer ? [] : [`an answer took ${count(slowest)} ms, limit ${count(limits.answer)} ms`]
  ]
}
