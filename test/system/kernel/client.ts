import { Agent, request as ask, type IncomingHttpHeaders } from 'node:http'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { pick, type Random } from '../../support/trial/random.ts'
import type { Report } from './report.ts'

/** A request below `/api/v1/`. */
export interface SentRequest {
  method: string
  path: string
  headers: Record<string, string>
  /** JSON text. */
  content?: string
}

/** A complete answer. */
export class Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
  /** The server that answered. */
  readonly origin: string

  constructor (status: number, headers: IncomingHttpHeaders, text: string, origin = '') {
    this.status = status
    this.headers = headers
    this.text = text
    this.origin = origin
  }

  /** The parsed body; undefined if there is none. */
  get body (): any {
    return this.text === '' ? undefined : JSON.parse(this.text)
  }

  /** The process that answered: the prefix of its request ids. */
  get process (): string {
    return String(this.headers['x-request-id'] ?? '').slice(0, 8)
  }

  get isReplayed (): boolean {
    return 'idempotency-replayed' in this.headers
  }
}

/** Sends a request once. @param patience in ms @throws {Error} without a complete answer */
export type Exchange = (request: SentRequest, patience: number) => Promise<Answer>

/** Sends each request to one of the servers, on connections of its own. */
export function exchangeOver (origins: readonly string[], random: Random): Exchange {
  const agent = new Agent({ keepAlive: true })
  return async ({ method, path, headers, content }, patience) => await new Promise((resolve, reject) => {
    const origin = pick(origins, random)
    // The same Host at every server, as behind a proxy, so that links and ETags are the same.
    const all = { host: 'obra.test', ...headers, ...content === undefined ? {} : { 'content-length': Buffer.byteLength(content) } }
    const sent = ask(`${origin}/api/v1/${path}`, { method, agent, headers: all, signal: AbortSignal.timeout(patience) }, (answer) => {
      text(answer).then(body => resolve(new Answer(answer.statusCode as number, answer.headers, body, origin)), reject)
    })
    sent.on('error', reject).end(content)
  })
}

/** An answer to a request that was repeated until the answer was certain. Times by `performance.now()`. */
export interface Certain {
  answer: Answer
  /** Start of the first attempt. */
  from: number
  to: number
  /** Attempts that may have had an effect. */
  tries: number
}

/** Settings of a client. */
export interface ClientOptions {
  exchange: Exchange
  token: string
  report: Report
  random: Random
  /** Time limit of one request in ms. */
  patience: number
  /** Aborted when no answer is awaited any more. */
  abandoned: AbortSignal
}

interface Content {
  body?: unknown
  headers?: Record<string, string>
}

/** Sends requests of one user, and reports what a server must not answer. */
export class Client {
  readonly random: Random
  readonly #options: ClientOptions

  constructor (options: ClientOptions) {
    this.random = options.random
    this.#options = options
  }

  /** Sends a request once. @returns undefined for a 503 and without an answer @throws {Error} for a 500 or if it takes too long */
  async once (method: string, path: string, { body, headers = {} }: Content = {}): Promise<Answer | undefined> {
    const { exchange, token, report, patience } = this.#options
    const content = body === undefined ? undefined : JSON.stringify(body)
    const all = { authorization: `Bearer ${token}`, ...content === undefined ? {} : { 'content-type': 'application/json' }, ...headers }
    const started = performance.now()
    try {
      const answer = await exchange({ method, path, headers: all, content }, patience)
      report.answered(method, path, answer, started)
      if (answer.status === 503) {
        if (!/^[1-9]\d*$/.test(answer.headers['retry-after'] ?? '')) throw new Unexpected('503 without Retry-After')
        return undefined
      }
      if (answer.status >= 500) throw unexpected(method, path, answer)
      return answer
    } catch (error) {
      if (error instanceof Unexpected) throw error
      const took = Math.round(performance.now() - started)
      const isLate = (error as Error).name === 'TimeoutError' || took >= patience
      if (isLate) throw new Unexpected(`${method} ${path}: no answer within ${patience} ms`)
      report.unanswered++
      if (!report.mayLose) report.findings.push(`${method} ${path}: no answer after ${took} ms: ${(error as Error).message}`)
      return undefined
    } finally {
      report.slowest = Math.max(report.slowest, performance.now() - started)
    }
  }

  /**
   * Repeats a request until it is answered.
   * @param codes permitted statuses; default: all below 500
   * @throws {Error} on another one, or when the trial is abandoned
   */
  async surely (method: string, path: string, { codes, ...content }: Content & { codes?: number[] } = {}): Promise<Certain> {
    const from = performance.now()
    for (let tries = 1; ; tries++) {
      const answer = await this.once(method, path, content)
      // A repetition finds its first attempt still running.
      const isEarly = answer?.status === 409 && tries > 1 && content.headers?.['idempotency-key'] !== undefined
      if (answer !== undefined && !isEarly) {
        if (codes?.includes(answer.status) === false) throw unexpected(method, path, answer)
        return { answer, from, to: performance.now(), tries }
      }
      await sleep(50 + 50 * this.random(), undefined, { signal: this.#options.abandoned })
    }
  }

  /** Sends a POST that creates records, with an Idempotency-Key. @returns the body of its 201 */
  async create (path: string, body: unknown, key: string): Promise<any> {
    const { answer } = await this.surely('POST', path, { body, headers: { 'idempotency-key': key }, codes: [201] })
    if (answer.isReplayed) this.#options.report.replayed++
    return answer.body
  }
}

/** An answer that no server may give. */
export class Unexpected extends Error {}

function unexpected (method: string, path: string, { status, text, headers, origin }: Answer): Unexpected {
  return new Unexpected(`${origin} ${method} ${path}: ${status} ${text.slice(0, 300)}, request ${headers['x-request-id']}`)
}
