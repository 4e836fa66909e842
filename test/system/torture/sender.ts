import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'

/** How a writer sends its requests. */
export interface SenderOptions {
  /** Scheme, host and port of the server; may differ at each call. */
  origin: () => string
  /** Sends a request. Default: the global `fetch`. */
  fetch?: (url: string, init: RequestInit) => Promise<Response>
  /** The access token of a user with all rights in the company. */
  token: string
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

interface Answered {
  status: number
  headers: Headers
  body: any
  /** Whether an earlier attempt of the same request got no answer, so that it may have been executed. */
  again: boolean
}

/** Repeats each request until it is acknowledged. POSTs have an Idempotency-Key. */
export class Sender {
  readonly #options: SenderOptions
  readonly #tally: Tally

  constructor (options: SenderOptions, tally: Tally) {
    this.#options = options
    this.#tally = tally
  }

  /** Sends a POST that creates records. @returns the body of its 201 */
  async create (path: string, body: unknown): Promise<any> {
    const answer = await this.send('POST', path, body, [201], { 'idempotency-key': randomUUID() })
    if (answer.headers.has('idempotency-replayed')) this.#tally.replayed++
    return answer.body
  }

  /** Sends a request until it gets one of these statuses. @throws {Error} on any other status */
  async send (method: string, path: string, body: unknown, codes: number[], headers: Record<string, string> = {}): Promise<Answered> {
    let lost = false
    for (;;) {
      const answer = await this.#try(method, path, body, headers)
      if (answer === undefined) {
        lost = true
      } else if (codes.includes(answer.status)) {
        return { ...answer, again: lost }
      } else if (answer.status === 503) {
        this.#tally.unavailable++
        if (!/^[1-9]\d*$/.test(answer.headers.get('retry-after') ?? '')) throw new Error('503 without Retry-After')
        // If the server lost the answer of a commit, the write may have been committed.
        lost = true
      } else if (!(lost && answer.status === 409 && 'idempotency-key' in headers)) {
        throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
      }
      await sleep(50, undefined, { signal: this.#options.abandoned })
    }
  }

  async #try (method: string, path: string, body: unknown, headers: Record<string, string>): Promise<Omit<Answered, 'again'> | undefined> {
    const { origin, token, patience, fetch: request = fetch } = this.#options
    const started = performance.now()
    try {
      const response = await request(`${origin()}/api/v1/${path}`, {
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
