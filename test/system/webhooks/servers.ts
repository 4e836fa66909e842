import { setTimeout as sleep } from 'node:timers/promises'
import { nodeOptions, type Place } from '../../support/process.ts'
import { pick, type Random } from '../../../src/trial/random.ts'
import type { Endpoint } from './endpoint.ts'
import { withoutConnections } from '../torture/disconnect.ts'
import type { Psql } from '../torture/integrity.ts'
import { looking, server, type Process } from '../torture/places.ts'
import { connected } from './psql.ts'
import { expireLeases, installWatch, leasedBy } from './watch.ts'

/** A time in which the result of a delivery can be lost, so that it may be repeated. By `performance.now()`. */
export interface Disturbance {
  kind: 'kill' | 'outage'
  from: number
  to: number
}

interface Named {
  /** Its name in the database. */
  name?: string
  process: Process
  /** Settles when it answers again. */
  started: Promise<void>
}

/** The servers of a trial and their database. */
export class Servers implements AsyncDisposable {
  readonly disturbances: Disturbance[] = []
  readonly faults: string[] = []
  readonly #place: Place
  readonly #named: Named[]
  readonly #random: Random

  private constructor (place: Place, named: Named[], random: Random) {
    this.#place = place
    this.#named = named
    this.#random = random
  }

  /** Starts two servers on a PostgreSQL database, or one on an embedded database, which exists and has the demo data. */
  static async open (place: Place, random: Random): Promise<Servers> {
    await looking(place, installWatch)
    if (place.env['DATABASE_URL'] === undefined) return new Servers(place, [{ process: await server(place, nodeOptions), started: Promise.resolve() }], random)
    // Triggers see the name, so the leases of a process are known.
    const named = await Promise.all(['first', 'second'].map(async name => ({ name, process: await server({ ...place, env: { ...place.env, PGAPPNAME: name } }, nodeOptions), started: Promise.resolve() })))
    return new Servers(place, named, random)
  }

  get origins (): string[] {
    return this.#named.map(({ process }) => process.origin)
  }

  /** Whether psql can be used while servers run. */
  get isShared (): boolean {
    return this.#place.env['DATABASE_URL'] !== undefined
  }

  /** Runs `work` as superuser on a shared database. Statements fail while the database refuses connections. */
  async psql<Result> (work: (psql: Psql) => Promise<Result>): Promise<Result> {
    return await connected(this.#place.env['DATABASE_URL'] as string, work)
  }

  /**
   * Kills a server and starts it again.
   * @param expires whether the time of its leases passes at once
   * @param meanwhile work on an embedded database
   */
  async kill (expires: boolean, meanwhile: (psql: Psql) => Promise<void>): Promise<void> {
    const one = await this.#one()
    await this.#disturbed('kill', async () => await one.process.kill())
    if (!this.isShared) {
      await looking(this.#place, async (psql) => {
        await expireLeases(psql)
        await meanwhile(psql)
      })
    } else if (expires) {
      await this.psql(async psql => await expireLeases(psql, one.name))
    }
    this.#start(one)
  }

  /** Ends a server by SIGTERM, and starts it again. It must give back the leases that began since the last disturbance, which can keep it from returning earlier ones. */
  async restart (): Promise<void> {
    const one = await this.#one()
    await one.process.stop()
    const since = Math.max(-Infinity, ...this.disturbances.map(({ to }) => to))
    const look = async (psql: Psql) => await leasedBy(psql, one.name, (performance.now() - since) / 1000)
    const held = this.isShared ? await this.psql(look) : await looking(this.#place, look)
    if (held.length > 0) this.faults.push(`after SIGTERM a server still holds the webhooks ${held.join()}`)
    this.#start(one)
  }

  /**
   * Suspends a server while some of its requests are held by receivers. The time of their leases passes, so the other server continues.
   * The receivers answer, and the suspended server resumes. Other leases stay: their requests can be still to be sent.
   */
  async freeze (endpoints: Endpoint[], milliseconds: number): Promise<void> {
    const { name, process } = await this.#one()
    const releases = endpoints.map(({ receiver }) => receiver.hold())
    for (const late = performance.now() + 2000; endpoints.every(({ receiver }) => receiver.held.size === 0) && performance.now() < late;) await sleep(5)
    process.signal('SIGSTOP')
    await sleep(50)
    const held = endpoints.filter(({ receiver }) => receiver.held.size > 0)
    const expired = await this.psql(async psql => await expireLeases(psql, name, held.map(({ id }) => id))).catch((): number[] => [])
    for (const { id, receiver } of held) {
      if (expired.includes(id)) for (const hit of receiver.held) hit.isFrozen = true
    }
    for (const release of releases) release()
    await sleep(milliseconds)
    process.signal('SIGCONT')
  }

  /** Cuts all connections to the database, which refuses new ones for a time. */
  async outage (milliseconds: number): Promise<void> {
    await this.#disturbed('outage', async () => await withoutConnections(this.#place.env['DATABASE_URL'] as string, async () => await sleep(milliseconds)))
  }

  /** Ends all servers by SIGTERM, and runs `work` on the database. */
  async end<Result> (work: (psql: Psql) => Promise<Result>): Promise<Result> {
    await Promise.all(this.#named.map(async ({ process, started }) => {
      await started
      await process.stop()
    }))
    return await looking(this.#place, work)
  }

  /** A server that answers. */
  async #one (): Promise<Named> {
    const one = pick(this.#named, this.#random)
    await one.started
    return one
  }

  /** Starts a server again. The other one works meanwhile. */
  #start (one: Named): void {
    one.started = one.process.start()
    one.started.catch(() => {})
  }

  async #disturbed (kind: Disturbance['kind'], work: () => Promise<void>): Promise<void> {
    const disturbance = { kind, from: performance.now(), to: Infinity }
    this.disturbances.push(disturbance)
    await work()
    disturbance.to = performance.now()
  }

  async [Symbol.asyncDispose] (): Promise<void> {
    await Promise.all(this.#named.map(async ({ process, started }) => {
      await started.catch(() => {})
      await process[Symbol.asyncDispose]()
    }))
  }
}
