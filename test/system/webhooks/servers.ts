import { setTimeout as sleep } from 'node:timers/promises'
import { nodeOptions, type Place } from '../../support/process.ts'
import type { Random } from '../../support/trial/random.ts'
import type { Process } from '../kernel/process.ts'
import { connected, looking, withoutConnections, type Psql } from '../kernel/psql.ts'
import { Site, siteNames } from '../kernel/site.ts'
import type { Endpoint } from './endpoint.ts'
import { expireLeases, installWatch, leasedBy } from './watch.ts'

/** A time in which the result of a delivery can be lost, so that it may be repeated. By `performance.now()`. */
export interface Disturbance {
  kind: 'kill' | 'outage'
  from: number
  to: number
}

/** The servers of a trial, and what disturbs them. Triggers see the names of the processes, so the leases of a process are known. */
export class Servers implements AsyncDisposable {
  readonly disturbances: Disturbance[] = []
  readonly faults: string[] = []
  readonly site: Site

  private constructor (site: Site) {
    this.site = site
  }

  /** Starts the servers on a database that exists. */
  static async open (place: Place, random: Random): Promise<Servers> {
    await looking(place, installWatch)
    return new Servers(await Site.open(place, random, nodeOptions))
  }

  /** The name of a process in the database, if it has another one than others. */
  #nameOf (one: Process): string | undefined {
    return this.site.url === undefined ? undefined : siteNames[this.site.processes.indexOf(one)]
  }

  /** Runs `work` as superuser on a shared database. Statements fail while the database refuses connections. */
  async psql<T> (work: (psql: Psql) => Promise<T>): Promise<T> {
    return await connected(this.site.url as string, work)
  }

  /**
   * Kills a server and starts it again.
   * @param expires whether the time of its leases passes at once
   * @param meanwhile work on an embedded database
   */
  async kill (expires: boolean, meanwhile: (psql: Psql) => Promise<void>): Promise<void> {
    const one = await this.site.one()
    const disturbance = this.#begin('kill')
    await this.site.stopped(async () => {
      disturbance.to = performance.now()
      const isAlone = this.site.url === undefined
      if (!isAlone && !expires) return
      await looking(this.site.place, async (psql) => {
        await expireLeases(psql, this.#nameOf(one))
        if (isAlone) await meanwhile(psql)
      })
    }, one)
  }

  /**
   * Ends a server by SIGTERM, and starts it again. It must give back the leases that began since the last disturbance, which can keep it
   * from returning earlier ones.
   */
  async restart (): Promise<void> {
    const one = await this.site.one()
    await one.stop()
    const since = Math.max(-Infinity, ...this.disturbances.map(({ to }) => to))
    const held = await looking(this.site.place, async psql => await leasedBy(psql, this.#nameOf(one), (performance.now() - since) / 1000))
    if (held.length > 0) this.faults.push(`after SIGTERM a server still holds the webhooks ${held.join()}`)
    one.start()
  }

  /**
   * Suspends a server while some of its requests are held by receivers. The time of their leases passes, so the other server continues.
   * The receivers answer, and the suspended server resumes. Other leases stay: their requests can be still to be sent.
   */
  async freeze (endpoints: Endpoint[], milliseconds: number): Promise<void> {
    const one = await this.site.one()
    const releases = endpoints.map(({ receiver }) => receiver.hold())
    for (const late = performance.now() + 2000; endpoints.every(({ receiver }) => receiver.held.size === 0) && performance.now() < late;) await sleep(5)
    one.signal('SIGSTOP')
    await sleep(50)
    const held = endpoints.filter(({ receiver }) => receiver.held.size > 0)
    const expired = await this.psql(async psql => await expireLeases(psql, this.#nameOf(one), held.map(({ id }) => id))).catch((): number[] => [])
    for (const { id, receiver } of held) {
      if (expired.includes(id)) for (const hit of receiver.held) hit.isFrozen = true
    }
    for (const release of releases) release()
    await sleep(milliseconds)
    one.signal('SIGCONT')
  }

  /** Cuts all connections to the database, which refuses new ones for a time. */
  async outage (milliseconds: number): Promise<void> {
    const disturbance = this.#begin('outage')
    await withoutConnections(this.site.url as string, async () => await sleep(milliseconds))
    disturbance.to = performance.now()
  }

  #begin (kind: Disturbance['kind']): Disturbance {
    const disturbance = { kind, from: performance.now(), to: Infinity }
    this.disturbances.push(disturbance)
    return disturbance
  }

  async [Symbol.asyncDispose] (): Promise<void> {
    await this.site[Symbol.asyncDispose]()
  }
}
