import { setTimeout as sleep } from 'node:timers/promises'
import { until } from '../../support/until.ts'
import { Answer, type SentRequest } from '../kernel/client.ts'
import { count } from '../kernel/report.ts'
import type { ReleaseServer } from './servers.ts'

/** What the clients of one phase saw. */
export interface Phase {
  name: string
  /** Length in ms. */
  lasted: number
  /** Number of answers by release and status, such as `old 200`. */
  answers: Map<string, number>
  /** Time in ms of the slowest request that began in it. Requests with `Prefer` do not count. */
  slowest: number
}

/** A request below `/api/v1/`. */
export interface RequestOptions {
  method?: string
  token?: string
  headers?: Record<string, string>
  body?: unknown
  /** The server, if it is still present; by default the next one. */
  to?: ReleaseServer
}

/** Limit in ms of the pause between two requests of a client. The trial needs both releases under load, not an overload. */
const pause = 40
const patience = 30_000

/** Sends each request of all clients to the next of the present servers, without retries. Counts answers, and keeps faults. */
export class Balancer {
  readonly phases: Phase[] = []
  /** Answers of 500 and more, and requests without an answer. */
  readonly faults: string[] = []
  #servers: ReleaseServer[] = []
  /** Requests without an answer yet, by server. */
  readonly #running = new Map<ReleaseServer, number>()
  #next = 0
  #began = 0

  /** The present servers. */
  get servers (): readonly ReleaseServer[] {
    return this.#servers
  }

  /** Sends later requests to these servers. */
  route (...servers: ReleaseServer[]): void {
    this.#servers = servers
  }

  /** Begins a phase. Requests count in the phase in which they begin. */
  begin (name: string): void {
    this.end()
    this.phases.push({ name, lasted: 0, answers: new Map(), slowest: 0 })
    this.#began = performance.now()
  }

  /** Ends the last phase. */
  end (): void {
    const last = this.phases.at(-1)
    if (last !== undefined) last.lasted = performance.now() - this.#began
  }

  /** Waits until each present release has answered a request of this phase. */
  async answered (): Promise<void> {
    const outcomes = () => [...this.phases.at(-1)?.answers.keys() ?? []]
    await until(() => this.#servers.every(server => outcomes().some(outcome => outcome.startsWith(`${nameOf(server)} `))))
  }

  /** Waits until a server that is no longer present has answered its last request. */
  async drained (server: ReleaseServer): Promise<void> {
    await until(() => (this.#running.get(server) ?? 0) === 0)
  }

  /** Two servers, of both releases if both are present. */
  pair (): [ReleaseServer, ReleaseServer] {
    const first = this.#turn()
    const others = this.#servers.filter(server => server !== first)
    return [first, others.find(({ release }) => release !== first.release) ?? others[0] ?? first]
  }

  /** Sends a request once. @param wanted the server, if it is still present @throws {Error} without an answer */
  async exchange ({ method, path, headers, content }: SentRequest, wanted?: ReleaseServer): Promise<Answer> {
    await sleep(Math.random() * pause)
    const to = wanted !== undefined && this.#servers.includes(wanted) ? wanted : this.#turn()
    const phase = this.phases.at(-1) as Phase
    const started = performance.now()
    const run = (more: number) => this.#running.set(to, (this.#running.get(to) ?? 0) + more)
    const what = `${phase.name}: ${to.release.commit} ${method} ${path}`
    run(1)
    try {
      const response = await fetch(`${to.origin}/api/v1/${path}`, { method, headers, body: content, signal: AbortSignal.timeout(patience) })
      const answer = new Answer(response.status, Object.fromEntries(response.headers), await response.text(), to.origin)
      count(phase.answers, `${nameOf(to)} ${answer.status}`)
      if (answer.status >= 500) this.faults.push(`${what}: ${answer.status} after ${Math.round(performance.now() - started)} ms`)
      return answer
    } catch (error) {
      count(phase.answers, `${nameOf(to)} no answer`)
      const { message, cause } = error as Error
      this.faults.push(`${what}: no answer: ${message} ${cause === undefined ? '' : String(cause)}`)
      throw error
    } finally {
      run(-1)
      if (!('prefer' in headers)) phase.slowest = Math.max(phase.slowest, performance.now() - started)
    }
  }

  /** Sends a request once, with a body of JSON. */
  async send (path: string, { method = 'GET', token, headers = {}, body, to }: RequestOptions = {}): Promise<Answer> {
    const own: Record<string, string> = { ...token === undefined ? {} : { authorization: `Bearer ${token}` }, ...body === undefined ? {} : { 'content-type': 'application/json' } }
    return await this.exchange({ method, path, headers: { ...own, ...headers }, content: body === undefined ? undefined : JSON.stringify(body) }, to)
  }

  #turn (): ReleaseServer {
    return this.#servers[this.#next++ % this.#servers.length]
  }
}

function nameOf ({ release }: ReleaseServer): string {
  return release.commit === 'this' ? 'new' : 'old'
}
