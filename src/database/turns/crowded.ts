import type { MessageKey } from '../../http/messages.ts'

/** Longest wait for the database or for another session's lock, in ms. */
export const maxWaitMs = 10_000

/** Too many requests wait for the process or for the database. */
export class Crowded extends Error {
  /** The message of the answer, if it says why. */
  readonly key: MessageKey | undefined
  /** Seconds after which the caller can try again. Default: that of every 503. */
  readonly retryAfter: number | undefined

  constructor (text: string, { key, retryAfter, ...options }: ErrorOptions & { key?: MessageKey | undefined, retryAfter?: number } = {}) {
    super(text, options)
    this.key = key
    this.retryAfter = retryAfter
  }
}
