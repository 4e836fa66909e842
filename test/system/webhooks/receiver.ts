import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import type { Random } from '../../support/trial/random.ts'
import { fates, isAccepting } from './fates.ts'
import type { Hit } from './hit.ts'
import { parsed } from './items.ts'
import { fateOf, type Mood } from './moods.ts'

/** A real HTTP server in the place of a company's system. */
export class Receiver {
  readonly hits: Hit[] = []
  readonly faults: string[] = []
  mood: Mood = 'well'
  /** Share of the requests that a flaky receiver does not accept. */
  flakiness = 0.4
  /** Requests wait for these. */
  readonly #gates = new Set<Promise<void>>()
  #released = Promise.withResolvers<void>()
  readonly #held = new Set<Hit>()
  #server: Server
  #port = 0
  readonly #random: Random
  readonly #verify: (headers: Record<string, string>, body: string) => number[]

  /** @param verify returns the numbers of the secrets that do not match */
  constructor (random: Random, verify: (headers: Record<string, string>, body: string) => number[]) {
    this.#random = random
    this.#verify = verify
    this.#server = this.#make()
  }

  get origin (): string {
    return `http://127.0.0.1:${this.#port}`
  }

  /** Starts to listen, on the same port as before. */
  async up (): Promise<void> {
    if (this.#server.listening) return
    for (;;) {
      this.#server = this.#make()
      this.#server.listen(this.#port, '127.0.0.1')
      try {
        await once(this.#server, 'listening')
        break
      } catch (error) {
        // A client's connection can have the port for a moment.
        if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error
        await sleep(50)
      }
    }
    this.#port = (this.#server.address() as AddressInfo).port
  }

  /** Refuses connections. */
  async down (): Promise<void> {
    if (!this.#server.listening) return
    const closed = once(this.#server, 'close')
    this.#server.close()
    this.#server.closeAllConnections()
    await closed
  }

  /** Accepts everything from now on. Hanging requests end. */
  async heal (): Promise<void> {
    this.mood = 'well'
    this.#released.resolve()
    await this.up()
  }

  /** Requests from now on wait until the returned function is called. */
  hold (): () => void {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#gates.add(promise)
    return () => {
      this.#gates.delete(promise)
      resolve()
    }
  }

  /** Requests that wait. */
  get held (): ReadonlySet<Hit> {
    return this.#held
  }

  /** Runs `work` while a request is in flight, if one arrives within this many ms. */
  async inFlight<Result> (patience: number, work: () => Promise<Result>): Promise<Result> {
    const release = this.hold()
    try {
      for (const late = performance.now() + patience; this.#held.size === 0 && performance.now() < late;) await sleep(5)
      return await work()
    } finally {
      release()
    }
  }

  #make (): Server {
    const server = createServer(async (request, response) => await this.#receive(request, response))
    server.on('error', () => {})
    server.keepAliveTimeout = 5000
    return server
  }

  async #receive (request: IncomingMessage, response: ServerResponse): Promise<void> {
    // The ends of other connections, which have happened before, are noticed first.
    await nextTurn()
    const hit: Hit = { path: request.url ?? '', at: performance.now(), end: Infinity, clock: Date.now(), id: String(request.headers['webhook-id']), timestamp: Number(request.headers['webhook-timestamp']), body: '', items: [], fate: 'closed', isAccepted: false, isFrozen: false, unverified: [] }
    const done = () => { hit.end = Math.min(hit.end, performance.now()) }
    request.on('error', () => {})
    response.on('error', () => {}).on('close', done)
    this.hits.push(hit)
    try {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk)
      hit.body = Buffer.concat(chunks).toString()
      hit.unverified = this.#verify(request.headers as Record<string, string>, hit.body)
      hit.items = parsed(hit.body)
      if (hit.path.startsWith('/elsewhere')) this.faults.push('a redirect was followed')
      this.#held.add(hit)
      await Promise.race([Promise.all(this.#gates), once(response, 'close')])
      this.#held.delete(hit)
      hit.fate = fateOf(hit, this.mood, this.flakiness, this.#random)
      // The sender has gone.
      if (response.closed || request.socket.destroyed) {
        hit.fate = 'closed'
        return
      }
      hit.isAccepted = isAccepting(hit.fate)
      await fates[hit.fate]({ request, response, random: this.#random, done, released: this.#released.promise })
    } catch (error) {
      if (!request.destroyed && !request.socket.destroyed) this.faults.push(`a request cannot be read: ${String(error)}: ${hit.body.slice(0, 200)}`)
    }
  }
}
