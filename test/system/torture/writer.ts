import { pick, type Random } from '../../../src/trial/random.ts'
import { Sender, type SenderOptions, type Tally } from './sender.ts'

/** The fields that a record must have after its acknowledged write. */
export interface Expected {
  contracts: Map<number, { folio: string, monto: string }>
  estimates: Map<number, { contract: number, numero: number, descripcion: string, estado: string }>
}

/** Writes one record after the other. No other writer changes its records, so their exact state is known. */
export class Writer {
  readonly expected: Expected = { contracts: new Map(), estimates: new Map() }
  /** Unexpected answers. */
  readonly wrong: string[] = []
  readonly #name: string
  readonly #sender: Sender
  readonly #random: Random
  readonly #tally: Tally
  #made = 0
  #main = 0

  /** @param name prefix of its folios */
  constructor (name: string, { random, ...options }: SenderOptions & { random: Random }, tally: Tally) {
    this.#name = name
    this.#sender = new Sender(options, tally)
    this.#random = random
    this.#tally = tally
  }

  /** Writes until `ended` returns true. */
  async run (ended: () => boolean): Promise<void> {
    const kinds = Object.entries(this.#kinds)
    try {
      while (!ended()) {
        const [kind, write] = pick(kinds, this.#random)
        if (await write()) this.#tally.acknowledged.set(kind, (this.#tally.acknowledged.get(kind) ?? 0) + 1)
      }
    } catch (error) {
      this.wrong.push((error as Error).message)
    }
  }

  readonly #kinds: Record<string, () => Promise<boolean>> = {
    create: async () => {
      this.#keep(await this.#sender.create('contracts/', this.#contract()))
      return true
    },
    bulk: async () => {
      const { results } = await this.#sender.create('contracts/bulk/', { items: Array.from({ length: 5 }, () => this.#contract()) })
      for (const contract of results) this.#keep(contract)
      return true
    },
    change: async () => {
      const id = this.#one(this.expected.contracts)
      if (id === undefined) return false
      const monto = this.#amount()
      await this.#sender.send('PATCH', `contracts/${id}/`, { monto }, [200])
      ;(this.expected.contracts.get(id) as { monto: string }).monto = monto
      return true
    },
    'change under If-Match': async () => {
      const id = this.#one(this.expected.contracts)
      if (id === undefined) return false
      const { headers } = await this.#sender.send('GET', `contracts/${id}/`, undefined, [200])
      const monto = this.#amount()
      const { status, again } = await this.#sender.send('PATCH', `contracts/${id}/`, { monto }, [200, 412], { 'if-match': headers.get('etag') as string })
      // No other writer changes this contract: another version can only come from an attempt whose answer was lost.
      if (status === 412 && !again) throw new Error(`412 for contract ${id}, which no other writer changes`)
      ;(this.expected.contracts.get(id) as { monto: string }).monto = monto
      return true
    },
    delete: async () => {
      const id = this.#one(this.expected.contracts)
      if (id === undefined || id === this.#main) return false
      const { status, again } = await this.#sender.send('DELETE', `contracts/${id}/`, undefined, [204, 404])
      if (status === 404 && !again) throw new Error(`contract ${id} was acknowledged but is gone`)
      this.expected.contracts.delete(id)
      return true
    },
    estimate: async () => {
      if (this.#main === 0) {
        const main = await this.#sender.create('contracts/', { folio: `${this.#name}-main`, monto: '9000000000.00' })
        this.#main = main.id
        this.#keep(main)
      }
      const descripcion = `${this.#name}-${++this.#made}`
      const { id, numero, contract, estado } = await this.#sender.create('estimates/', { contract: this.#main, descripcion, monto: '1.00' })
      this.expected.estimates.set(id, { contract, numero, descripcion, estado })
      return true
    },
    'estimate changes state': async () => {
      const id = this.#one(this.expected.estimates)
      if (id === undefined) return false
      const estimate = this.expected.estimates.get(id) as { estado: string }
      const next = ({ borrador: 'enviada', enviada: 'autorizada', autorizada: 'pagada' } as Record<string, string>)[estimate.estado]
      if (next === undefined) return false
      await this.#sender.send('PATCH', `estimates/${id}/`, { estado: next }, [200])
      estimate.estado = next
      return true
    }
  }

  #contract () {
    return { folio: `${this.#name}-${++this.#made}`, monto: this.#amount() }
  }

  #amount (): string {
    return `${Math.floor(this.#random() * 1e6) + 1}.50`
  }

  #keep ({ id, folio, monto }: { id: number, folio: string, monto: string }): void {
    this.expected.contracts.set(id, { folio, monto: id === this.#main ? '9000000000.00' : monto })
  }

  #one (records: Map<number, unknown>): number | undefined {
    const ids = [...records.keys()].filter(id => id !== this.#main)
    return ids.length === 0 ? undefined : pick(ids, this.#random)
  }
}
