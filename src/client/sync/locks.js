import { unlessAborted } from '../waits.js'

/** Locks by name within this process, each given in the order of the calls. */
export class Locks {
  /** @type {Map<string, Promise<unknown>>} */
  #tails = new Map()

  /**
   * Runs `work` after all earlier work under this name.
   * @template Result
   * @param {string} name
   * @param {() => Promise<Result>} work
   * @param {AbortSignal} [signal] ends the wait
   */
  async run (name, work, signal) {
    const before = this.#tails.get(name) ?? Promise.resolve()
    let release = () => {}
    /** @type {Promise<void>} */
    const done = new Promise((resolve) => { release = resolve })
    const tail = Promise.all([before, done])
    this.#tails.set(name, tail)
    tail.then(() => { if (this.#tails.get(name) === tail) this.#tails.delete(name) })
    try {
      await unlessAborted(before, signal)
      return await work()
    } finally {
      release()
    }
  }
}
