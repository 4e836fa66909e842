import type { Connection } from './connection.ts'
import { percentile } from '../../test/support/trial/percentile.ts'
import type { Kind } from './kinds.ts'
import type { Company } from './requests.ts'

/** Cost of a kind of request in one company, in milliseconds. */
export interface Cost {
  size: number
  /** Number of timed requests. */
  requests: number
  median: number
  /** 99th percentile; the slowest if there are fewer than 100 requests. */
  p99: number
}

/** A company and the connection to its server. */
export interface MeasuredCompany<C = Company> {
  company: C
  connection: Connection
}

/** Untimed requests to each company at first, which prepare statements and fill caches. */
const warmUp = 5

/**
 * Sends requests of a kind to all companies in turn, so that disturbances of the machine affect all of them. Each round starts with another
 * company.
 * @param seconds time limit, even if fewer than `rounds` are complete
 * @throws {Error} if an answer is wrong
 */
export async function measure<C extends { size: number }> (
  kind: Kind<C>, places: Array<MeasuredCompany<C>>, rounds: number, seconds: number
): Promise<Cost[]> {
  const sent = places.map(place => ({ ...place, next: kind.next(place.company), last: undefined as any, times: [] as number[] }))
  const late = performance.now() + seconds * 1000
  for (let round = -warmUp; round < rounds && (round < 1 || performance.now() < late); round++) {
    for (let turn = 0; turn < sent.length; turn++) {
      const one = sent[(turn + round + warmUp) % sent.length]
      for (let timed = false; !timed;) {
        const ask = one.next(one.last)
        const { body, milliseconds } = await one.connection.get(ask.path)
        try {
          kind.check(body, one.company)
        } catch (error) {
          throw new Error(`${ask.path} of ${one.company.size}: ${(error as Error).message}`, { cause: error })
        }
        one.last = body
        timed = ask.timed
        if (timed && round >= 0) one.times.push(milliseconds)
      }
    }
  }
  return sent.map(({ company, times }) => costOf(company.size, times))
}

/** Summarizes times. */
export function costOf (size: number, times: number[]): Cost {
  return { size, requests: times.length, median: percentile(times, 0.5), p99: percentile(times, times.length < 100 ? 1 : 0.99) }
}
