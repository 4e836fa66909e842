import { total, type Verdict } from '../../test/torture/trial.ts'
import { count, type Row } from './table.ts'

/** The row of a fault that happened while others wrote. @param back milliseconds from the end of the fault to the next acknowledged write, the longest */
export function faultRow (what: string, times: number, { tally, lost }: Verdict, back?: number): Row {
  const came = [
    `${count(total(tally))} writes`,
    `${count(tally.unanswered)} unanswered`,
    `${count(tally.unavailable)} × 503`,
    `${count(tally.replayed)} replayed`,
    `slowest ${count(tally.slowest)} ms`,
    ...back === undefined ? [] : [`back in ${count(back)} ms`]
  ]
  return { what, times, came: came.join(', '), bad: lost }
}
