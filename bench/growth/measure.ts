import type { Connection } from './connection.ts'
import type { Company, Kind } from './kinds.ts'

/** What a kind of request cost in one company, in milliseconds. */
export interface Cost {
  size: number
  /** Requests that were timed. */
  requests: number
  median: number
  /** The slowest but one hundredth of them; of less than 100 requests the slowest. */
  p99: number
}

/** A company and the connection to its server. */
export interface Place {
  company: Company
  connection: Connection
}

/** Requests to each company before those that are timed: they prepare statements and fill caches. */
const warmUp = 5

/**
 * Sends requests of a kind to all companies in turn, so that whatever disturbs the machine disturbs all alike; each round begins with another one.
 * @param seconds after which it ends, whether or not it has come to `rounds`
 * @throws {Error} when an answer is not what it must be
 */
export async function measure (kind: Kind, places: Place[], rounds: number, seconds: number): Promise<Cost[]> {
  const asked = places.map(place => ({ ...place, next: kind.next(place.company), last: undefined as any, times: [] as number[] }))
  const late = performance.now() + seconds * 1000
  for (let round = -warmUp; round < rounds && (round < 1 || performance.now() < late); round++) {
    for (let turn = 0; turn < asked.length; turn++) {
      const one = asked[(turn + round + warmUp) % asked.length] as typeof asked[number]
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
  return asked.map(({ company, times }) => costOf(company.size, times))
}

/** What those times come to. */
export function costOf (size: number, times: number[]): Cost {
  return { size, requests: times.length, median: percentile(times, 0.5), p99: percentile(times, times.length < 100 ? 1 : 0.99) }
}

/** @param part 0 to 1 */
export function percentile (times: number[], part: number): number {
  return times.toSorted((a, b) => a - b)[Math.ceil(times.length * part) - 1] as number
}
