import { total, type Verdict } from '../trial.ts'
import { count, type Row } from './table.ts'

/** Milliseconds that writing may take to go on when the database is back, and that a request may take to its answer. */
const limits = { back: 1000, answer: 30_000 }

/**
 * The row of a fault that happened while others wrote.
 * @param back milliseconds from the end of the database's outage to the next acknowledged write, the longest; undefined where the server itself was the one that was gone
 */
export function faultRow (what: string, times: number, { tally, lost }: Verdict, back?: number): Row {
  const came = [
    `${count(total(tally))} writes`,
    `${count(tally.unanswered)} unanswered`,
    `${count(tally.unavailable)} × 503`,
    `${count(tally.replayed)} replayed`,
    `slowest ${count(tally.slowest)} ms`,
    ...back === undefined ? [] : [`back in ${count(back)} ms`]
  ]
  return { what, times, came: came.join(', '), bad: back === undefined ? lost : [...lost, ...unlikeService(tally, back)] }
}

/** What a server that runs on does not do, whatever becomes of its database. */
function unlikeService ({ unanswered, slowest }: Verdict['tally'], back: number): string[] {
  return [
    ...unanswered === 0 ? [] : [`${count(unanswered)} requests had no answer`],
    ...back <= limits.back ? [] : [`writing went on ${count(back)} ms after the database was back, which may be ${count(limits.back)}`],
    ...slowest <= limits.answer ? [] : [`an answer took ${count(slowest)} ms, which may be ${count(limits.answer)}`]
  ]
}
