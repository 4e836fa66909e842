/** A number that writers raise. A read shows at least `floor`, the highest acknowledged before it, and at most `ceiling`, the highest sent. */
export interface Raised {
  floor: number
  ceiling: number
}

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
  rows: Row[]
  count?: number
}

/** A contract in an answer. */
export interface Row {
  id: number
  company: number
  monto: string
  contraparte: string | null
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

/** The name of a counterparty, with its current number. */
export const partyName = (company: number, value: number) => `Vivo ${company}-${value}`

/**
 * The state of a company: what was sent and what was acknowledged. Writers record a write before they send it and when it is
 * acknowledged. Readers take the {@link known} state before they send, and then {@link judge} the answer.
 */
export class Ledger {
  readonly company: number
  /** Contracts whose amount writers raise, by id. */
  readonly raised = new Map<number, Raised>()
  /** The counterparty of these contracts, whose name writers change. */
  readonly party: Raised = { floor: 0, ceiling: 0 }
  readonly #living = new Map<number, { since: number, leaving: boolean }>()
  readonly #gone = new Map<number, number>()
  readonly #created: Raised
  readonly #deleted: Raised = { floor: 0, ceiling: 0 }
  #clock = 0
  #revision = 0

  /** @param count the company's records when no writer is active */
  constructor (company: number, raised: number[], count: number) {
    this.company = company
    for (const id of raised) this.raised.set(id, { floor: 0, ceiling: 0 })
    this.#created = { floor: count, ceiling: count }
  }

  /** Records that numbers will be raised. @returns a function to call on acknowledgement */
  raise (numbers: Raised[], value: number): () => void {
    for (const number of numbers) number.ceiling = value
    return () => {
      for (const number of numbers) number.floor = value
    }
  }

  /** Records that records will be created. @returns a function to call with their ids on acknowledgement */
  create (records: number): (ids: number[]) => void {
    this.#created.ceiling += records
    return (ids) => {
      this.#created.floor += records
      this.#clock++
      for (const id of ids) this.#living.set(id, { since: this.#clock, leaving: false })
    }
  }

  /** Records that a record will be deleted. @returns a function to call on acknowledgement */
  remove (id: number): () => void {
    this.#deleted.ceiling++
    const record = this.#living.get(id)
    if (record !== undefined) record.leaving = true
    return () => {
      this.#deleted.floor++
      this.#living.delete(id)
      this.#gone.set(id, ++this.#clock)
    }
  }

  /** The state that a read sent now must show at least. */
  known (): Known {
    return {
      at: this.#clock,
      floors: new Map([...this.raised].map(([id, { floor }]) => [id, floor])),
      party: this.party.floor,
      leastCount: this.#created.floor,
      mostDeleted: this.#deleted.floor,
      revision: this.#revision
    }
  }

  /** Compares an answer with the state known when its request was sent. @returns the fault, if any */
  judge ({ status, etag, rows, count }: Shown, known: Known, expected: Expectation): string | undefined {
    if (expected.record !== undefined && status === 404) return this.#mustBe(expected.record, known) ? `no contract ${expected.record}` : undefined
    if (status !== 200) return `answered ${status}`
    return rows.map(row => this.#rowFault(row, known)).find(fault => fault !== undefined) ??
      this.#idsFault(rows.map(({ id }) => id), known, expected) ??
      this.#countFault(count, known, expected) ??
      this.#revisionFault(etag, known)
  }

  #revisionFault (etag: string | undefined, known: Known): string | undefined {
    const [, company, revision] = /^"(\d+)\.(\d+)\./.exec(etag ?? '') ?? []
    if (Number(company) !== this.company) return `ETag ${etag} is not company ${this.company}'s`
    if (Number(revision) < known.revision) return `ETag ${etag} after revision ${known.revision} was seen`
    this.#revision = Math.max(this.#revision, Number(revision))
    return undefined
  }

  #rowFault ({ id, company, monto, contraparte }: Row, known: Known): string | undefined {
    if (company !== this.company) return `contract ${id} is company ${company}'s`
    const gone = this.#gone.get(id)
    if (gone !== undefined && gone <= known.at) return `contract ${id} was deleted`
    const raised = this.raised.get(id)
    if (raised === undefined) return undefined
    const party = Number(contraparte?.split('-')[1])
    if (contraparte !== partyName(this.company, party)) return `contract ${id} has counterparty ${contraparte}`
    return outside(`contract ${id} has`, Number(monto), known.floors.get(id) as number, raised.ceiling) ??
      outside(`contract ${id}'s counterparty has`, party, known.party, this.party.ceiling)
  }

  #idsFault (shown: number[], known: Known, { ids, record, newest }: Expectation): string | undefined {
    if (record !== undefined && shown[0] !== record) return `contract ${shown[0]} instead of ${record}`
    if (ids !== undefined && ids.join() !== shown.join()) return `contracts ${shown} instead of ${ids}`
    if (newest === undefined) return undefined
    const last = shown.length < newest ? 0 : Math.min(...shown)
    const missing = [...this.#living.keys()].find(id => id > last && this.#mustBe(id, known) && !shown.includes(id))
    return missing === undefined ? undefined : `no contract ${missing} among ${shown}`
  }

  #countFault (count: number | undefined, known: Known, expected: Expectation): string | undefined {
    if (count === undefined) return undefined
    if (expected.count !== undefined) return outside('count is', count, expected.count, expected.count)
    return outside('count is', count, known.leastCount - this.#deleted.ceiling, this.#created.ceiling - known.mostDeleted)
  }

  /** Whether the record was acknowledged before the read was sent and its delete had not been sent. */
  #mustBe (id: number, known: Known): boolean {
    if (this.raised.has(id)) return true
    const record = this.#living.get(id)
    return record !== undefined && record.since <= known.at && !record.leaving
  }
}

function outside (what: string, value: number, floor: number, ceiling: number): string | undefined {
  if (value < floor) return `${what} ${value} after ${floor} was acknowledged`
  return value <= ceiling ? undefined : `${what} ${value} when ${ceiling} was the highest sent`
}
