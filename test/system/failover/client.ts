import { Agent, request as send, type IncomingHttpHeaders } from 'node:http'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { pick, type Random } from '../../../src/trial/random.ts'
import type { Report } from './report.ts'

/** An answer of a server. */
export interface Answer {
  status: number
  headers: IncomingHttpHeaders
  body: string
}

/** Limits in ms: of one request by the guarantees, with a margin for a busy machine, and of the wait for its answer. */
const limits = { request: 32_000, answer: 90_000 }

/** Statuses that a request may get, besides 503. Any other is a finding. */
const expected = { reads: [200, 304], writes: [200, 201, 204, 409, 412] }

/** Sends requests of one user to servers chosen at random, and reports what a server must not answer. */
export class ReportingClient {
  readonly random: Random
  readonly #origins: string[]
  readonly #token: string
  readonly #report: Report
  readonly #agent = new Agent({ keepAlive: true })
  readonly #isOver: () => boolean

  constructor (origins: string[], token: string, report: Report, random: Random, isOver: () => boolean) {
    this.random = random
    this.#origins = origins
    this.#token = token
    this.#report = report
    this.#isOver = isOver
  }

  /** Sends a request once. @param allowed further statuses @returns undefined for a 503, or if the answer is a finding */
  async once (method: string, path: string, { body, headers = {}, allowed = [] }: { body?: unknown, headers?: Record<string, string>, allowed?: number[] } = {}): Promise<Answer | undefined> {
    const origin = pick(this.#origins, this.random)
    const report = this.#report
    const started = performance.now()
    const what = `${origin} ${method} ${path}`
    report.requests++
    try {
      const answer = await this.#send(origin, method, path, headers, body)
      report.count(`${method} ${answer.status}`)
      if (answer.status === 503) {
        if (!/^[1-9]\d*$/.test(answer.headers['retry-after'] ?? '')) report.findings.push(`${what}: 503 without Retry-After`)
        return undefined
      }
      const fine = [...expected[method === 'GET' ? 'reads' : 'writes'], ...allowed]
      if (!fine.includes(answer.status)) {
        report.findings.push(`${what}: ${answer.status} ${answer.body.slice(0, 300)}, request ${answer.headers['x-request-id']}`)
        return undefined
      }
      if (method !== 'GET' && answer.status < 300) report.acknowledged.push({ sent: started, at: performance.now() })
      return answer
    } catch (error) {
      report.count(`${method} no answer`)
      report.findings.push(`${what}: no answer after ${Math.round(performance.now() - started)} ms: ${(error as Error).message}`)
      return undefined
    } finally {
      const took = performance.now() - started
      report.slowest = Math.max(report.slowest, took)
      if (took > limits.request) report.findings.push(`${what}: took ${Math.round(took)} ms`)
    }
  }

  /** Repeats a request until it has one of the statuses. @returns undefined if the trial was abandoned */
  async until (statuses: number[], method: string, path: string, options: Parameters<ReportingClient['once']>[2] = {}): Promise<Answer | undefined> {
    while (!this.#isOver()) {
      const answer = await this.once(method, path, { ...options, allowed: statuses })
      if (answer !== undefined && statuses.includes(answer.status)) return answer
      await sleep(100 + 100 * this.random())
    }
    return undefined
  }

  async #send (origin: string, method: string, path: string, headers: Record<string, string>, body: unknown): Promise<Answer> {
    const content = body === undefined ? undefined : JSON.stringify(body)
    const all = { authorization: `Bearer ${this.#token}`, ...content === undefined ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(content) }, ...headers }
    return await new Promise((resolve, reject) => {
      // The same Host at every server, as behind a proxy, so that links and ETags are the same.
      const request = send(`${origin}/api/v1/${path}`, { method, agent: this.#agent, headers: { host: 'obra.test', ...all }, signal: AbortSignal.timeout(limits.answer) }, response => {
        text(response).then(body => resolve({ status: response.statusCode as number, headers: response.headers, body }), reject)
      })
      request.on('error', reject)
      request.end(content)
    })
  }

  close (): void {
    this.#agent.destroy()
  }
}
