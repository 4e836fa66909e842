import { request as ask, type IncomingHttpHeaders } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Random } from '../../support/trial/random.ts'
import { demoPassword } from '../../../src/domain/demo/data.ts'

/** A complete answer. */
export interface Answer {
  status: number
  headers: IncomingHttpHeaders
  bytes: Buffer
  /** The parsed body; undefined if it is no JSON. */
  body: any
}

/** A request below `/api/v1/` whose body is bytes. */
export interface BinaryRequest {
  method: string
  path: string
  headers?: Record<string, string>
  content?: Buffer
}

/** Time limit of one request in ms. */
const patience = 30_000

/**
 * Sends requests of one user again and again until there is an answer. `Client` of the kernel has bodies of JSON and shared connections. Here
 * bodies and answers are bytes, and each request has its own connection, so that a fault of the network hits one request.
 */
export class Sender {
  readonly email: string
  /** Statuses that no request may have. */
  readonly faults: string[] = []
  requests = 0
  readonly #port: () => number
  readonly #random: Random
  #token = ''

  /** @param port of the way to the servers */
  constructor (email: string, port: () => number, random: Random) {
    this.email = email
    this.#port = port
    this.#random = random
  }

  /** Sends a request once. @returns undefined without a complete answer */
  async once ({ method, path, headers = {}, content }: BinaryRequest): Promise<Answer | undefined> {
    this.requests++
    const all = { ...headers, authorization: `Bearer ${this.#token}`, ...content === undefined ? {} : { 'content-length': String(content.length) } }
    try {
      return await new Promise((resolve, reject) => {
        const sent = ask({ port: this.#port(), host: '127.0.0.1', path: `/api/v1/${path}`, method, headers: all, agent: false, signal: AbortSignal.timeout(patience) }, (answer) => {
          buffer(answer).then(bytes => resolve({ status: answer.statusCode as number, headers: answer.headers, bytes, body: parsed(bytes) }), reject)
        })
        sent.on('error', reject).end(content)
      })
    } catch {
      return undefined
    }
  }

  /** Sends a request until the answer is certain. */
  async certain (request: BinaryRequest): Promise<Answer> {
    for (;;) {
      const answer = await this.once(request)
      if (answer !== undefined && !await this.isPassing(answer, request)) return answer
      await this.rest()
    }
  }

  /** Waits before a repetition. */
  async rest (): Promise<void> {
    await sleep(50 + this.#random() * 400)
  }

  /** Whether a request has to be repeated. Logs in again, if that is the reason. */
  async isPassing ({ status, bytes }: Answer, { method, path }: BinaryRequest): Promise<boolean> {
    if (status === 401) await this.logIn()
    if (status >= 500 && status !== 503) this.faults.push(`${method} ${path} → ${status} ${bytes.toString().slice(0, 200)}`)
    return status === 401 || status === 429 || status === 503
  }

  async logIn (): Promise<void> {
    const content = Buffer.from(JSON.stringify({ email: this.email, password: demoPassword }))
    for (;;) {
      const answer = await this.once({ method: 'POST', path: 'api-token-auth/', headers: { 'content-type': 'application/json' }, content })
      if (answer?.status === 200) {
        this.#token = answer.body.access
        return
      }
      await this.rest()
    }
  }

  /** Creates or changes a record, once. @param key of the request, so that its repetitions have no effect */
  async json (method: string, path: string, body: unknown, key: string): Promise<Answer> {
    const headers = { 'content-type': 'application/json', 'idempotency-key': key }
    return await this.certain({ method, path, headers, content: Buffer.from(JSON.stringify(body)) })
  }
}

function parsed (bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString())
  } catch {
    return undefined
  }
}
