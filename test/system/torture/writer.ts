import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { pick, type Random } from '../../support/random.ts'

/** How a writer sends its requests. */
export interface Sender {
  /** Scheme, host and port of the server; may differ at each call. */
  origin: () => string
  /** The access token of a user with all rights in the company. */
  token: string
  random: Random
  /** Time limit of one request in ms. */
  patience: number
  /** Aborted when the trial has failed and no acknowledgement is awaited any more. */
  abandoned: AbortSignal
}

/** Counts of the writers' requests. */
export interface Tally {
  /** Number of acknowledged writes, by kind. */
  acknowledged: Map<string, number>
  /** Requests without an answer: the connection failed or was cut. */
  unanswered: number
  /** 503s, each with Retry-After. */
  unavailable: number
  /** Replayed answers of POSTs, whose first answer was lost. */
  replayed: number
  /** Time in ms of the slowest request until its answer or failure. */
  slowest: number
}

/** A tally of zeros. */
export function emptyTally (): Tally {
  return { acknowledged: new Map(), unanswered: 0, unavailable: 0, replayed: 0, slowest: 0 }
}

/** The fields that a record must have after its acknowledged write. */
export interface Expected {
  contracts: Map<number, { folio: string, monto: string }>
  estimates: Map<number, { contract: number, numero: number, descripcion: string, estado: string }>
}

interface Answered {
  status: number
  headers: Headers
  body: any
  /** Whether an earlier attempt of the same request got no answer, so that it may have been executed. */
  again: boolean
}

/** Statuses after which the same request is sent again. */
const again = new Set([503])

/**
 * Writes one record after the other and repeats each request until it is acknowledged; POSTs have an Idempotency-Key.
 * No other writer changes its records, so their exact state is known.
 */
export class Writer {
  readonly expected: Expected = { contracts: new Map(), estimates: new Map() }
  /** Unexpected answers. */
  readonly wrong: string[] = []
  readonly #sender: Sender
  readonly #tally: Tally
  readonly #name: string
  #made = 0
  #main = 0

  /** @param name prefix of its folios */
  constructor (name: string, sender: Sender, tally: Tally) {
    this.#name = name
    this.#sender = sender
    this.#tally = tally
  }

  /** Writes until `ended` returns true. */
  async run (ended: () => boolean): Promise<void> {
    const kinds = Object.entries(this.#kinds)
    try {
      while (!ended()) {
        const [kind, write] = pick(kinds, this.#sender.random)
        if (await write()) this.#tally.acknowledged.set(kind, (this.#tally.acknowledged.get(kind) ?? 0) + 1)
      }
    } catch (error) {
      this.wrong.push((error as Error).message)
    }
  }

  readonly #kinds: Record<string, () => Promise<boolean>> = {
    create: async () => {
      const [contract] = await this.#created('contracts/', this.#contract())
      this.#keep(contract)
      return true
    },
    bulk: async () => {
      const { results } = (await this.#created('contracts/bulk/', { items: Array.from({ length: 5 }, () => this.#contract()) }))[0]
      for (const contract of results) this.#keep(contract)
      return true
    },
    change: async () => {
      const id = this.#one(this.expected.contracts)
      if (id === undefined) return false
      const monto = this.#amount()
      await this.#send('PATCH', `contracts/${id}/`, { monto }, [200])
      ;(this.expected.contracts.get(id) as { monto: string }).monto = monto
      return true
    },
    'change under If-Match': async () => {
      const id = this.#one(this.expected.contracts)
      if (id === undefined) return false
      const { headers } = await this.#send('GET', `contracts/${id}/`, undefined, [200])
      const monto = this.#amount()
      const { status, again } = await this.#send('PATCH', `contracts/${id}/`, { monto }, [200, 412], { 'if-match': headers.get('etag') as string })
      // No other writer changes this contract: another version can only come from an attempt whose answer was lost.
      if (status === 412 && !again) throw new Error(`412 for contract ${id}, which no other writer changes`)
      ;(this.expected.contracts.get(id) as { monto: string }).monto = monto
      return true
    },
    delete: async () => {
      const id = this.#one(this.expected.contracts)
      if (id === undefined || id === this.#main) return false
      const { status, again } = await this.#send('DELETE', `contracts/${id}/`, undefined, [204, 404])
      if (status === 404 && !again) throw new Error(`contract ${id} was acknowledged but is gone`)
      this.expected.contracts.delete(id)
      return true
    },
    estimate: async () => {
      if (this.#main === 0) {
        const [main] = await this.#created('contracts/', { folio: `${this.#name}-main`, monto: '9000000000.00' })
        this.#main = main.id
        this.#keep(main)
      }
      const descripcion = `${this.#name}-${++this.#made}`
      const [{ id, numero, contract, estado }] = await this.#created('estimates/', { contract: this.#main, descripcion, monto: '1.00' })
      this.expected.estimates.set(id, { contract, numero, descripcion, estado })
      return true
    },
    'estimate changes state': async () => {
      const id = this.#one(this.expected.estimates)
      if (id === undefined) return false
      const estimate = this.expected.estimates.get(id) as { estado: string }
      const next = ({ borrador: 'enviada', enviada: 'autorizada', autorizada: 'pagada' } as Record<string, string>)[estimate.estado]
      if (next === undefined) return false
      await this.#send('PATCH', `estimates/${id}/`, { estado: next }, [200])
      estimate.estado = next
      return true
    }
  }

  #contract () {
    return { folio: `${this.#name}-${++this.#made}`, monto: this.#amount() }
  }

  #amount (): string {
    return `${Math.floor(this.#sender.random() * 1e6) + 1}.50`
  }

  #keep ({ id, folio, monto }: { id: number, folio: string, monto: string }): void {
    this.expected.contracts.set(id, { folio, monto: id === this.#main ? '9000000000.00' : monto })
  }

  #one (records: Map<number, unknown>): number | undefined {
    const ids = [...records.keys()].filter(id => id !== this.#main)
    return ids.length === 0 ? undefined : pick(ids, this.#sender.random)
  }

  async #created (path: string, body: unknown): Promise<[any]> {
    const answer = await this.#send('POST', path, body, [201], { 'idempotency-key': randomUUID() })
    if (answer.headers.has('idempotency-replayed')) this.#tally.replayed++
    return [answer.body]
  }

  /** Sends a request until it gets one of these statuses. @throws {Error} on any other status */
  async #send (method: string, path: string, body: unknown, codes: number[], headers: Record<string, string> = {}): Promise<Answered> {
    let lost = false
    for (;;) {
      const answer = await this.#try(method, path, body, headers)
      if (answer === undefined) {
        lost = true
      } else if (codes.includes(answer.status)) {
        return { ...answer, again: lost }
      } else if (again.has(answer.status)) {
        this.#tally.unavailable++
        if (!/^[1-9]\d*$/.test(answer.headers.get('retry-after') ?? '')) throw new Error(`${answer.status} without Retry-After`)
        // If the server lost the answer of a commit, the write may have been committed.
        lost = true
      } else if (!(lost && answer.status === 409 && 'idempotency-key' in headers)) {
        throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
      }
      await sleep(50, undefined, { signal: this.#sender.abandoned })
    }
  }

  async #try (method: string, path: string, body: unknown, headers: Record<string, string>): Promise<Omit<Answered, 'again'> | undefined> {
    const { origin, token, patience } = this.#sender
    const started = performance.now()
    try {
      const response = await fetch(`${origin()}/api/v1/${path}`, {
        method,
        headers: { authorization: `Bearer ${token}`, ...body === undefined ? {} : { 'content-type': 'application/json' }, ...headers },
        body: body === undefined ? undefined : JSON.stringify(body),
        signal: AbortSignal.timeout(patience)
      })
      const text = await response.text()
      return { status: response.status, headers: response.headers, body: text === '' ? undefined : JSON.parse(text) }
    } catch (error) {
      if ((error as Error).name === 'TimeoutError') throw new Error(`${method} ${path}: no answer within ${patience} ms`)
      this.#tally.unanswered++
      return undefined
    } finally {
      this.#tally.slowest = Math.max(this.#tally.slowest, performance.now() - started)
    }
  }
}
