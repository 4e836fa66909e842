import type { Verdict } from '../../kernel/load.ts'
import { sum, type Report } from '../../kernel/report.ts'
import { count, type Row } from '../../kernel/table.ts'

/** Limits in ms: of the time until the first write after the database is back, and of one request. */
const limits = { back: 1000, answer: 30_000 }

/**
 * The row of a fault that was injected during a write load.
 * @param back longest time in ms from the end of an outage to the next acknowledged write; undefined if the server itself was killed
 */
export function faultRow (what: string, times: number, { report, bad }: Verdict, back?: number): Row {
  const resources = report.resources.size === 0 ? '' : ` (${[...report.resources].map(([name, times]) => `${name} ${count(times)}`).join(', ')})`
  const result = [
    `${count(sum(report.writes))} writes${resources}`,
    `${count(sum(report.reads))} reads`,
    `${count(report.unanswered)} unanswered`,
    `${count(report.unavailable)} × 503`,
    `${count(report.replayed)} replayed`,
    `slowest ${count(report.slowest)} ms`,
    ...back === undefined ? [] : [`writes resumed after ${count(back)} ms`]
  ]
  return { what, times, result: result.join(', '), bad: back === undefined ? bad : [...bad, ...unlikeService(report, back)] }
}

/** Faults of a server whose database, but not the server itself, was interrupted. */
function unlikeService ({ slowest }: Report, back: number): string[] {
  return [
    ...back <= limits.back ? [] : [`writes resumed ${count(back)} ms after the database was back, limit ${count(limits.back)} ms`],
    ...slowest <= limits.answer ? [] : [`an answer took ${count(slowest)} ms, limit ${count(limits.answer)} ms`]
  ]
}
