import { Ledger } from '../freshness/ledger.ts'

/** A record of a trial as the database has it: its mark is unique text of the trial. */
export interface Stored {
  resource: string
  id: number
  mark: string
  monto: string
}

/** What clients know about a company: the ledger for reads, and what the database must have. */
export class Books {
  readonly ledger: Ledger
  /** Ids of acknowledged creates, by mark. */
  readonly created = new Map<string, number>()
  /** The shared counter: the value that each accepted increment has replaced, and the highest acknowledged one. */
  readonly #replaced = new Set<number>()
  readonly counter: number
  counted = 0

  /** @param counter id of the contract whose amount is the counter */
  constructor (company: number, raised: number[], count: number, counter: number) {
    this.ledger = new Ledger(company, raised, count)
    this.counter = counter
  }

  /** Records an acknowledged create. @returns a fault if the mark has another record already */
  create (mark: string, id: number): string | undefined {
    const known = this.created.get(mark)
    if (known !== undefined && known !== id) return `${mark} was created as ${known} and as ${id}`
    this.created.set(mark, id)
    return undefined
  }

  /** Records an increment that `If-Match` admitted. @returns a fault if another one has replaced the same value */
  increment (from: number): string | undefined {
    this.counted = Math.max(this.counted, from + 1)
    if (this.#replaced.has(from)) return `If-Match accepted two increments of ${from}`
    this.#replaced.add(from)
    return undefined
  }

  /** The acknowledged state, to compare it with rows that are read later. */
  acknowledged () {
    return { created: new Map(this.created), floors: this.ledger.known().floors, counted: this.counted }
  }

  /** Compares the database with what was acknowledged before. @returns losses and repetitions, one line each */
  audit (rows: Stored[], { created, floors, counted }: ReturnType<Books['acknowledged']>): { lost: string[], doubled: string[] } {
    const contracts = new Map(rows.flatMap(row => row.resource === 'contracts' ? [[row.id, row]] : []))
    const byMark = Map.groupBy(rows, ({ mark }) => mark)
    const lost = [...created].flatMap(([mark, id]) => byMark.get(mark)?.some(row => row.id === id) === true ? [] : [`lost: ${mark} was acknowledged as ${id}`])
    const least = new Map([...floors, [this.counter, counted]])
    for (const [id, floor] of least) {
      const monto = Number(contracts.get(id)?.monto)
      if (!(monto >= floor)) lost.push(`lost: contract ${id} has ${monto} after ${floor} was acknowledged`)
    }
    const doubled = [...byMark].flatMap(([mark, { length }]) => length === 1 ? [] : [`doubled: ${mark} exists ${length} times`])
    return { lost, doubled }
  }
}
