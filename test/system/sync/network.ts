import { setTimeout as sleep } from 'node:timers/promises'
import { pick, type Random } from '../../support/trial/random.ts'
import type { Wire } from './wire.ts'

/** Faults of the network, with their share of requests. */
const faults = { lost: 0.06, unanswered: 0.1, twice: 0.08, again: 0.08, slow: 0.1 }

type Fault = keyof typeof faults

/** Page sizes that are put in the place of the default, so that small companies have several pages. */
const pageSizes = [2, 7, 40, 500]

interface Copy {
  url: string
  method: string
  headers: Headers
  body: string
}

/** Carries the requests of all phones to one of several servers, with faults. */
export class Network {
  readonly #origins: () => string[]
  /** Whether requests are lost, repeated and delayed. */
  hasFaults = true
  /** Number of restores so far. */
  timeline = 0
  readonly counts: Record<Fault | 'sent' | 'failed', number> = { lost: 0, unanswered: 0, twice: 0, again: 0, slow: 0, sent: 0, failed: 0 }
  readonly #running = new Set<Promise<unknown>>()
  #isOpen = Promise.resolve()

  /** @param origins of the servers */
  constructor (origins: () => string[]) {
    this.#origins = origins
  }

  /** Runs `work` while no request runs. */
  async without<Result> (work: () => Promise<Result>): Promise<Result> {
    let open = () => {}
    this.#isOpen = new Promise((resolve) => { open = resolve })
    await this.idle()
    try {
      return await work()
    } finally {
      open()
    }
  }

  /** Waits for the end of all requests. */
  async idle (): Promise<void> {
    while (this.#running.size > 0) await Promise.allSettled(this.#running)
  }

  /** The `fetch` of a phone's process. @param isDead whether the process has crashed: it gets no answers */
  fetchOf (wire: Wire, random: Random, isDead: () => boolean): (request: Request) => Promise<Response> {
    return async (request) => {
      const url = new URL(request.url)
      if (url.pathname.endsWith('/changes/')) url.searchParams.set('page_size', String(pick(pageSizes, random)))
      const copy = { url: `${url.pathname}${url.search}`, method: request.method, headers: request.headers, body: await request.text() }
      const fault = this.hasFaults ? faultFor(random()) : undefined
      const later = random() * 600
      if (fault !== undefined) this.counts[fault]++
      if (fault === 'lost') throw new TypeError('lost')
      if (fault === 'again') this.#send(copy, random, later).catch(() => {})
      const asked = wire.request(url, copy.body)
      const other = fault === 'twice' ? this.#send(copy, random).catch(() => {}) : undefined
      const { timeline, status, headers, text } = await this.#send(copy, random)
      await other
      if (fault === 'slow') await sleep(later / 3)
      if (fault === 'unanswered' || isDead()) throw new TypeError('unanswered')
      request.signal.throwIfAborted()
      wire.answer(url, copy.body, status, text, asked, timeline)
      return new Response(status === 204 ? null : text, { status, headers })
    }
  }

  /** Sends a request, after a delay in ms. A repetition can arrive much later than its answer. */
  async #send ({ url, method, headers, body }: Copy, random: Random, delay = 0): Promise<{ timeline: number, status: number, headers: Headers, text: string }> {
    if (delay > 0) await sleep(delay)
    for (let isOpen; isOpen !== this.#isOpen;) await (isOpen = this.#isOpen)
    const { timeline } = this
    const running = (async () => {
      const response = await fetch(pick(this.#origins(), random) + url, { method, headers, body: body === '' ? undefined : body, signal: AbortSignal.timeout(20_000) })
      return { timeline, status: response.status, headers: response.headers, text: await response.text() }
    })()
    this.#running.add(running)
    this.counts.sent++
    try {
      return await running
    } catch (error) {
      this.counts.failed++
      throw new TypeError('failed', { cause: error })
    } finally {
      this.#running.delete(running)
    }
  }
}

/** @param at from 0 to 1 */
function faultFor (at: number): Fault | undefined {
  let end = 0
  return (Object.keys(faults) as Fault[]).find((name) => { end += faults[name]; return at < end })
}
