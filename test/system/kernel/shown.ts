/** The acknowledged state at the time when a read is sent. */
export interface Known {
  at: number
  floors: Map<number, number>
  party: number
  leastCount: number
  mostDeleted: number
  revision: number
}

/** A parsed answer to a read. */
export interface Shown {
  status: number
  etag: string | undefined
  /** The rows of a list, or the single record. */
  rows: Array<{ id: number, company: number, monto: string, contraparte: string | null }>
  count?: number
}

/** What a read must show, besides the known state of each row. */
export interface Expectation {
  /** The exact ids, in order. */
  ids?: number[]
  /** The id of a single record, which may have been deleted. */
  record?: number
  /** Number of rows on a page that begins with the newest record. */
  newest?: number
  /** Number of records of the list over all pages, if it is not all of the company's. */
  count?: number
}

/** A fault of a number that is not within its limits. */
export function outside (what: string, value: number, floor: number, ceiling: number): string | undefined {
  if (!(value >= floor)) return `${what} ${value} after ${floor} was acknowledged`
  return value <= ceiling ? undefined : `${what} ${value} when ${ceiling} was the highest sent`
}
