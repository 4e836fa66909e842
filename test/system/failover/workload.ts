import type { Books } from './books.ts'
import type { ReportingClient } from './client.ts'
import type { Report } from './report.ts'

/** What the actors of a company share. */
export interface Workload {
  books: Books
  report: Report
  /** Ids of the contracts that raisers change, in the order of `-folio`. */
  ids: number[]
  /** Id of the contract to which estimates belong. */
  main: number
  /** A mark that no other record has. */
  newMark: () => string
  /** A client of its own for each actor. */
  clientOf: () => ReportingClient
  /** Reports a fault, if there is one. */
  found: (fault: string | undefined) => void
}

/** One step of an actor, which repeats it. */
export type Step = () => Promise<void>
