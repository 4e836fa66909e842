import { limits } from '../../config/limits.ts'
import type { MessageKey } from '../../http/messages.ts'

/** Longest wait for the database or for another session's lock, in ms. */
export const maxWaitMs = limits.database.waitMs

/** Fields of the error, and its cause. */
interface CrowdedOptions extends ErrorOptions {
  key?: MessageKey | undefined
  retryAfter?: number
  isGivenUp?: boolean
}

/** Too many requests wait for the process or for the database, or one takes too long. */
export class Crowded extends Error {
  /** The message of the answer, if it says why. */
  readonly key: MessageKey | undefined
  /** Seconds after which the caller can try again. Default: that of every 503. */
  readonly retryAfter: number | undefined

  /** Whether the server gave up a request that took too long. Otherwise, others took its place. */
  readonly isGivenUp: boolean

  constructor (text: string, { key, retryAfter, isGivenUp = false, ...options }: CrowdedOptions = {}) {
    super(text, options)
    this.isGivenUp = isGivenUp
    this.key = key
    this.retryAfter = retryAfter
  }
}
