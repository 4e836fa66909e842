import { unlessAborted } from '../waits.ts'

/** Locks by name within this process, each given in the order of the calls. */
export class Locks {
  #tails = new Map<string, Promise<unknown>>()

  /**
   * Runs `work` after all earlier work under this name.
   * @param signal ends the wait
   */
  async run<Result> (name: string, work: () => Promise<Result>, signal?: AbortSignal) {
    const before = this.#tails.get(name) ?? Promise.resolve()
    let release = () => {}
    const done: Promise<void> = new Promise((resolve) => { release = resolve })
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
