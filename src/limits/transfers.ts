import type { FastifyRequest } from 'fastify'
import { limits } from '../config/limits.ts'
import { Crowded } from '../database/turns/crowded.ts'
import { Semaphore } from '../database/turns/semaphore.ts'
import { httpError } from '../http/errors.ts'
import type { MessageKey } from '../http/messages.ts'
import { callerOf } from './caller.ts'

/** Limits of {@link Transfers}. */
interface TransferLimits {
  /** Open requests of a user, and of all users of a customer. */
  perUser: number
  perCustomer: number
  /** The message of a refusal. */
  key: MessageKey
}

/** Seconds of `Retry-After`. */
const retryAfter = 5

/** Requests that send or receive files, which last as long as their clients like. Requests beyond the limits wait for their turn. */
export class Transfers {
  readonly #key: MessageKey
  readonly #users: Semaphore<number>
  readonly #customers: Semaphore<string>

  constructor ({ perUser, perCustomer, key }: TransferLimits) {
    this.#key = key
    this.#users = new Semaphore({ name: 'files of a user', size: Infinity, perKey: perUser })
    this.#customers = new Semaphore({ name: 'files of a customer', size: Infinity, perKey: perCustomer })
  }

  /**
   * Runs the work of a request when the limits allow it. Meanwhile, the request does not count as in progress.
   * @throws {HttpError} 503 after a wait of 10 s. Clients of tus repeat no 429. Errors of `work`
   */
  async run<Result> (request: FastifyRequest, work: () => Promise<Result>): Promise<Result> {
    const deadline = performance.now() + limits.files.waitMs
    let hasBegun = false
    const begin = async () => {
      hasBegun = true
      return await work()
    }
    request.beginWait()
    try {
      return await this.#users.run(request.caller.user, deadline, async () => await this.#customers.run(callerOf(request), deadline, begin))
    } catch (error) {
      if (hasBegun || !(error instanceof Crowded)) throw error
      throw httpError(503, { key: this.#key, values: { wait: retryAfter }, headers: { 'retry-after': String(retryAfter) } })
    } finally {
      request.endWait()
    }
  }
}
