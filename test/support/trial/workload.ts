import type { Data } from './data.ts'
import type { LoadAnswer, Call } from './http.ts'
import { randomFrom, type Random } from './random.ts'

/** The bare routes that rates are compared with: one serializes a list for each request, one sends the same bytes from memory. */
export const yardsticks = ['serialized', 'bytes'] as const
export type Yardstick = typeof yardsticks[number]

/** A kind of load. */
export interface Workload {
  name: string
  about: string
  /** The status that every answer must have. */
  status: number
  /** Number of connections, if the run's default is too high. */
  connections?: number
  /** Records that a request writes, if the rate counts records. */
  records?: number
  /** The yardstick that this measures. */
  yardstick?: Yardstick
  /** Whether it writes nothing. */
  isRead?: true
  /** Without the page cache, so that every read queries the database. */
  uncached?: boolean
  /** Requests during the load that are not measured. */
  beside?: (target: LoadTarget) => Beside
  /** A list of requests, distributed among the connections and repeated, or a function that makes the next one. */
  calls: (target: LoadTarget) => Promise<Call[]> | Call[] | (() => Call)
  /** Checks the first answer. @throws {Error} if it is wrong */
  check: (answer: LoadAnswer, target: LoadTarget) => void
}

/** Requests sent during a load, at an even rate per second. */
export interface Beside {
  perSecond: number
  status: number
  calls: () => Call
}

/** The target of workloads. */
export interface LoadTarget {
  server: string
  data: Data
  random: Random
  /** Number of contracts in each company, if the companies are seeded. */
  perCompany?: number
}

/** The random numbers of a workload. They do not depend on which other workloads run. */
export function randomOf ({ name }: Workload): Random {
  return randomFrom([...name].reduce((sum, letter) => sum * 31 + letter.charCodeAt(0) | 0, 7))
}
