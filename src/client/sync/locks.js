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
    const before = this.#tails.get(name)
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

/**
 * @param {Promise<unknown> | undefined} promise
 * @param {AbortSignal} [signal]
 */
async function unlessAborted (promise, signal) {
  signal?.throwIfAborted()
  await new Promise((resolve, reject) => {
    const abort = () => reject(signal?.reason)
    signal?.addEventListener('abort', abort, { once: true })
    Promise.resolve(promise).then(resolve, reject).finally(() => signal?.removeEventListener('abort', abort))
  })
}
