import { registered } from '../../../src/domain/resources.ts'
import { outside, type Expectation, type Known, type Shown } from './shown.ts'

/** A number that writers raise. A read shows at least `floor`, the highest acknowledged, and at most `ceiling`, the highest sent. */
export interface Raised {
  floor: number
  ceiling: number
}

/** A contract that was acknowledged and whose deletion was not. */
export interface Contract {
  folio: string
  amount: Raised
  /** Whether it has the counterparty that is renamed. */
  hasParty: boolean
  /** When its creation was acknowledged, and whether its deletion was sent. */
  since: number
  isLeaving: boolean
}

/** A record of one writer. No other writer changes it, so its exact fields are known. */
export interface Other {
  /** The text that names it: its `external_id`, and the folio of a contract. */
  mark: string
  /** Known columns. */
  fields: Record<string, unknown>
  since: number
  isLeaving: boolean
}

/**
 * What was sent to a company and what was acknowledged. Writers record a write before they send it and when it is acknowledged.
 * Readers take the {@link known} state before they send, and then {@link judge} the answer. `audit.ts` compares the database with it.
 */
export class Book {
  readonly company: number
  /** Text that all records of the trial have in their names. */
  readonly marker: string
  readonly contracts = new Map<number, Contract>()
  /** Records with known fields, by resource. A contract whose amount is a sum is here too. */
  readonly others: Record<string, Map<number, Other>> = Object.fromEntries(registered.map(({ name }) => [name, new Map()]))
  /** The number in the name of the counterparty. */
  readonly party: Raised = { floor: 0, ceiling: 0 }
  /** Ids of acknowledged creates, by resource and mark. */
  readonly #created = new Map<string, number>()
  /** Values of the counter that an accepted increment has replaced. */
  readonly #replaced = new Set<number>()
  readonly #gone = new Map<number, number>()
  readonly #count: Raised
  readonly #deleted: Raised = { floor: 0, ceiling: 0 }
  /** Whether other writers change the company too, so that counts are unknown. */
  readonly #isShared: boolean
  #clock = 0
  #revision = 0
  #value = 0

  /** @param count the company's contracts when no writer is active */
  constructor (company: number, marker: string, count: number, isShared = false) {
    this.company = company
    this.marker = marker
    this.#count = { floor: count, ceiling: count }
    this.#isShared = isShared
  }

  /** The name of the counterparty that is renamed. */
  partyName (value: number): string {
    return `${this.marker}V-${value}`
  }

  /** A number above all others. */
  next (): number {
    return ++this.#value
  }

  amountOf (id: number): Raised {
    return (this.contracts.get(id) as Contract).amount
  }

  /** Records that numbers will be raised. @returns a function to call on acknowledgement */
  raise (numbers: Raised[], value: number): () => void {
    for (const number of numbers) number.ceiling = Math.max(number.ceiling, value)
    return () => {
      for (const number of numbers) number.floor = Math.max(number.floor, value)
    }
  }

  /** Records that the amount of a contract is a sum, which can also become lower. */
  leaveOpen (id: number): void {
    Object.assign(this.amountOf(id), { floor: 0, ceiling: Infinity })
  }

  /** Records that `If-Match` admitted an increment of the counter. @returns a fault if another one has replaced the same value */
  increment (from: number): string | undefined {
    if (this.#replaced.has(from)) return `If-Match accepted two increments of ${from}`
    this.#replaced.add(from)
    return undefined
  }

  /** Records that contracts will be created. @returns a function to call with them on acknowledgement, which returns a fault */
  create (records: number): (made: Array<{ id: number, folio: string, monto: string }>, hasParty?: boolean) => string | undefined {
    this.#count.ceiling += records
    return (made, hasParty = false) => {
      this.#count.floor += records
      this.#clock++
      for (const { id, folio, monto } of made) {
        const value = Number(monto)
        this.contracts.set(id, { folio, amount: { floor: value, ceiling: value }, hasParty, since: this.#clock, isLeaving: false })
      }
      return made.map(({ id, folio }) => this.#noteId(`contract ${folio}`, id)).find(fault => fault !== undefined)
    }
  }

  /** Records that a contract will be deleted. @returns a function to call on acknowledgement */
  remove (id: number): () => void {
    this.#deleted.ceiling++
    const contract = this.contracts.get(id)
    if (contract !== undefined) contract.isLeaving = true
    return () => {
      this.#deleted.floor++
      this.contracts.delete(id)
      this.#gone.set(id, ++this.#clock)
    }
  }

  /** Records an acknowledged record with known fields. @returns a fault if its mark has another id */
  keep (resource: string, id: number, mark: string, fields: Record<string, unknown>): string | undefined {
    this.others[resource].set(id, { mark, fields, since: ++this.#clock, isLeaving: false })
    return this.#noteId(`${resource} ${mark}`, id)
  }

  #noteId (what: string, id: number): string | undefined {
    const before = this.#created.get(what) ?? id
    this.#created.set(what, before)
    return before === id ? undefined : `${what} was created as ${before} and as ${id}`
  }

  /** The state that a read sent now must show at least. */
  known (): Known {
    return {
      at: this.#clock,
      floors: new Map([...this.contracts].map(([id, { amount: { floor } }]) => [id, floor])),
      party: this.party.floor,
      leastCount: this.#count.floor,
      mostDeleted: this.#deleted.floor,
      revision: this.#revision
    }
  }

  /** Compares an answer with the state known when its request was sent. @returns the fault, if any */
  judge ({ status, etag, rows, count }: Shown, known: Known, expected: Expectation): string | undefined {
    const { record } = expected
    if (record !== undefined && status === 404) return this.mustBe(record, known) ? `no contract ${record}` : undefined
    if (status !== 200) return `answered ${status}`
    return rows.map(row => this.#rowFault(row, known)).find(fault => fault !== undefined) ??
      this.#idsFault(rows.map(({ id }) => id), known, expected) ??
      this.#countFault(count, known, expected) ??
      this.#revisionFault(etag, known)
  }

  /** Whether a contract was acknowledged before a read was sent and its deletion had not been sent. */
  mustBe (id: number, known: Known): boolean {
    const contract = this.contracts.get(id)
    return contract !== undefined && contract.since <= known.at && !contract.isLeaving
  }

  #revisionFault (etag: string | undefined, known: Known): string | undefined {
    const [, company, revision] = /^"(\d+)\.(\d+)\./.exec(etag ?? '') ?? []
    if (Number(company) !== this.company) return `ETag ${etag} is not company ${this.company}'s`
    if (Number(revision) < known.revision) return `ETag ${etag} after revision ${known.revision} was seen`
    this.#revision = Math.max(this.#revision, Number(revision))
    return undefined
  }

  #rowFault ({ id, company, monto, contraparte }: Shown['rows'][number], known: Known): string | undefined {
    if (company !== this.company) return `contract ${id} is company ${company}'s`
    const gone = this.#gone.get(id)
    if (gone !== undefined && gone <= known.at) return `contract ${id} was deleted`
    const contract = this.contracts.get(id)
    if (contract === undefined) return undefined
    const fault = outside(`contract ${id} has`, Number(monto), known.floors.get(id) ?? 0, contract.amount.ceiling)
    if (fault !== undefined || !contract.hasParty) return fault
    const value = Number(contraparte?.split('-').at(-1))
    if (contraparte !== this.partyName(value)) return `contract ${id} has counterparty ${contraparte}`
    return outside(`contract ${id}'s counterparty has`, value, known.party, this.party.ceiling)
  }

  #idsFault (shown: number[], known: Known, { ids, record, newest }: Expectation): string | undefined {
    if (record !== undefined && shown[0] !== record) return `contract ${shown[0]} instead of ${record}`
    if (ids !== undefined && ids.join() !== shown.join()) return `contracts ${shown} instead of ${ids}`
    if (newest === undefined) return undefined
    const last = shown.length < newest ? 0 : Math.min(...shown)
    const missing = [...this.contracts.keys()].find(id => id > last && this.mustBe(id, known) && !shown.includes(id))
    return missing === undefined ? undefined : `no contract ${missing} among ${shown}`
  }

  #countFault (count: number | undefined, known: Known, expected: Expectation): string | undefined {
    if (count === undefined) return undefined
    if (expected.count !== undefined) return outside('count is', count, expected.count, expected.count)
    if (this.#isShared) return undefined
    return outside('count is', count, known.leastCount - this.#deleted.ceiling, this.#count.ceiling - known.mostDeleted)
  }
}
