import { EventEmitter } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'

/** Interval of probes in ms. */
const probeInterval = 400

/** Pauses in ms before a failed replica is tried again: the first one, and the longest one after doubling. */
const firstPause = 500
const longestPause = 10_000

/**
 * Follows whether a replica can be used: while probes succeed, until a probe or a read fails. Then it is tried again after growing pauses.
 * Emits `left` with the reason, even if the first probe fails, and `returned`.
 */
export class ReplicaHealth extends EventEmitter<{ left: [reason: unknown], returned: [] }> {
  readonly #probe: () => Promise<void>
  readonly #closing = new AbortController()
  /** Undefined until the first probe. */
  #isAvailable: boolean | undefined
  #pause = firstPause
  /** Time of the next probe of a failed replica, by `performance.now()`. */
  #retryAt = 0

  /** Starts to probe. @param probe throws if the replica cannot be used */
  constructor (probe: () => Promise<void>) {
    super()
    this.#probe = probe
    this.#keepProbing()
  }

  /** Whether the last probe succeeded, and no read has failed since. */
  get isAvailable (): boolean {
    return this.#isAvailable === true
  }

  /** Notes that a read succeeded. The next failure is followed by the shortest pause. */
  noteSuccess (): void {
    this.#pause = firstPause
  }

  /** Notes that a connection or a probe failed. */
  noteFailure (reason: unknown): void {
    if (this.#isAvailable === false) return
    this.#isAvailable = false
    this.#postpone()
    this.emit('left', reason)
  }

  /** Ends the probes. */
  close (): void {
    this.#closing.abort()
    this.#isAvailable = false
  }

  async #keepProbing (): Promise<void> {
    const { signal } = this.#closing
    const pause = async (milliseconds: number) => { await sleep(milliseconds, undefined, { signal, ref: false }).catch(() => {}) }
    while (!signal.aborted) {
      const [result] = await Promise.allSettled([this.#probe()])
      if (signal.aborted) return
      if (result.status === 'fulfilled') this.#noteUsable()
      else if (this.#isAvailable === false) this.#postpone()
      else this.noteFailure(result.reason)
      await pause(probeInterval)
      // A read can have failed meanwhile.
      await pause(Math.max(0, this.#retryAt - performance.now()))
    }
  }

  #noteUsable (): void {
    if (this.isAvailable) return
    this.#isAvailable = true
    this.emit('returned')
  }

  #postpone (): void {
    this.#retryAt = performance.now() + this.#pause
    this.#pause = Math.min(this.#pause * 2, longestPause)
  }
}
