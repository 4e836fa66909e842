import { setTimeout as sleep } from 'node:timers/promises'
import type { User } from '../../test/support/trial/data.ts'
import { pick, randomFrom } from '../../test/support/trial/random.ts'
import type { Server } from '../../test/support/trial/server.ts'
import { Caller } from '../caller.ts'

/** Kinds of requests of the others. */
export const otherKinds = ['list', 'single contract', 'write'] as const
export type OtherTimes = Record<typeof otherKinds[number], number[]>

/** The users of another customer, who send requests at a steady rate. */
export class Others {
  readonly #callers: Caller[]
  readonly #contracts: number[]
  readonly #random = randomFrom(9)
  /** Number of contracts of their company. */
  count: number
  #writes = 0

  /** @param contracts ids of all contracts of their company */
  constructor (server: Server, users: User[], contracts: number[]) {
    this.#callers = users.map(user => new Caller(server, user))
    this.#contracts = contracts
    this.count = contracts.length
  }

  /**
   * Sends lists and single contracts in turn, and writes. A time begins when the request is due, so it includes the wait before it is sent.
   * @param reads per second @param writes per second
   */
  async run (seconds: number, reads: number, writes: number): Promise<OtherTimes> {
    const times: OtherTimes = { list: [], 'single contract': [], write: [] }
    const readOne = async (n: number) => await (n % 2 === 0 ? this.#list() : this.#single())
    await Promise.all([
      this.#steady(seconds, reads, readOne, (n, ms) => times[n % 2 === 0 ? 'list' : 'single contract'].push(ms)),
      this.#steady(seconds, writes, async n => await this.#write(n), (_, ms) => times.write.push(ms))
    ])
    return times
  }

  /** @throws {Error} if not all contracts that were created are found */
  async check (): Promise<void> {
    const { count } = await this.#caller().get('contracts/?page_size=1')
    if (count !== this.count) throw new Error(`the others have ${count} contracts, not ${this.count}`)
  }

  async #steady (seconds: number, rate: number, send: (n: number) => Promise<void>, done: (n: number, ms: number) => void): Promise<void> {
    const began = performance.now()
    const sent: Array<Promise<void>> = []
    for (let n = 0; n < seconds * rate; n++) {
      const due = began + n * 1000 / rate
      const early = due - performance.now()
      if (early > 0) await sleep(early)
      const one = send(n).then(() => done(n, performance.now() - due))
      // An error ends the bench below, after the last request.
      one.catch(() => {})
      sent.push(one)
    }
    await Promise.all(sent)
  }

  #caller (): Caller {
    return pick(this.#callers, this.#random)
  }

  async #list (): Promise<void> {
    const before = this.count
    const { count, results } = await this.#caller().get('contracts/')
    // A contract that is being created may be counted or not.
    if (count < before || results.length !== 20) throw new Error(`a list has ${results.length} of ${count} contracts, not 20 of ${before}`)
  }

  async #single (): Promise<void> {
    const id = pick(this.#contracts, this.#random)
    const answer = await this.#caller().get(`contracts/${id}/`)
    if (answer.id !== id) throw new Error(`contract ${id} has the id ${answer.id}`)
  }

  async #write (n: number): Promise<void> {
    const monto = `${1000 + this.#writes++}.25`
    const answer = n % 2 === 0
      ? await this.#caller().post('contracts/', { folio: `OTRO-${this.#writes}`, monto })
      : await this.#caller().patch(`contracts/${pick(this.#contracts, this.#random)}/`, { monto })
    if (answer.monto !== monto) throw new Error(`the amount of contract ${answer.id} is ${answer.monto}, not ${monto}`)
    if (n % 2 === 0) this.count++
  }
}
