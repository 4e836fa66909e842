import { pick, type Random } from '../../support/trial/random.ts'
import type { Place } from '../../support/process.ts'
import { server, type Process } from './process.ts'
import { connected, looking, type Psql } from './psql.ts'

/** Names of the processes in the database. */
export const siteNames = ['first', 'second']

/** The servers of a trial and their database: two servers on PostgreSQL, or one on the embedded database. */
export class Site implements AsyncDisposable {
  readonly place: Place
  readonly processes: Process[]
  readonly #random: Random

  private constructor (place: Place, processes: Process[], random: Random) {
    this.place = place
    this.processes = processes
    this.#random = random
  }

  /** Starts the servers. The database exists. @param node options of Node.js */
  static async open (place: Place, random: Random, node: string[] = []): Promise<Site> {
    const names = place.env['DATABASE_URL'] === undefined ? siteNames.slice(0, 1) : siteNames
    const start = async (name: string) => await server({ ...place, env: { ...place.env, PGAPPNAME: name } }, { node })
    const processes = await Promise.all(names.map(start))
    return new Site(place, processes, random)
  }

  get origins (): string[] {
    return this.processes.map(({ origin }) => origin)
  }

  /** URL of the database, if it can be used while servers run. */
  get url (): string | undefined {
    return this.place.env['DATABASE_URL']
  }

  /** A server that answers. */
  async one (): Promise<Process> {
    const one = pick(this.processes, this.#random)
    await one.started()
    return one
  }

  /** Waits until all servers answer. */
  async ready (): Promise<void> {
    await Promise.all(this.processes.map(async one => await one.started()))
  }

  /** Runs `work` on the database as superuser. The server of an embedded database is killed meanwhile. */
  async look<T> (work: (psql: Psql) => Promise<T>): Promise<T> {
    if (this.url !== undefined) return await connected(this.url, work)
    const result = await this.stopped(async () => await looking(this.place, work))
    await this.ready()
    return result
  }

  /** Runs `work` while a server is killed. It starts again in the background, while another one works. */
  async stopped<T> (work: () => Promise<T>, given?: Process): Promise<T> {
    const one = given ?? await this.one()
    await one.kill()
    try {
      return await work()
    } finally {
      one.start()
    }
  }

  /** Ends all servers by SIGTERM, and runs `work` on the database. */
  async end<T> (work: (psql: Psql) => Promise<T>): Promise<T> {
    await this.ready()
    await Promise.all(this.processes.map(async one => await one.stop()))
    return await looking(this.place, work)
  }

  async [Symbol.asyncDispose] (): Promise<void> {
    await Promise.all(this.processes.map(async (one) => {
      await one.started().catch(() => {})
      await one[Symbol.asyncDispose]()
    }))
  }
}
