import { Crowded } from './turn.ts'

interface Waiter {
  deadline: number
  start: () => void
  reject: (error: Error) => void
}

/** Limits of a {@link Semaphore}. */
export interface SemaphoreOptions {
  /** Name of the work in error messages. */
  name: string
  /** Concurrent work in total. Can be `Infinity`. */
  size: number
  /** Concurrent work of one key. */
  perKey: number
}

/** Interval in ms at which overdue waiters are rejected. */
const sweepInterval = 100

/** Limits concurrent work, in total and by key. Waiting keys take turns. Work of the same key starts in the order of its arrival. */
export class Semaphore<Key> {
  readonly #name: string
  readonly #perKey: number
  readonly #active = new Map<Key, number>()
  /** Work in progress, by key. */
  readonly active: ReadonlyMap<Key, number> = this.#active
  /** Waiting work by key, in the order of the keys' turns. */
  readonly #waiting = new Map<Key, Waiter[]>()
  #free: number
  #sweeping = false

  constructor ({ name, size, perKey }: SemaphoreOptions) {
    this.#name = name
    this.#perKey = perKey
    this.#free = size
  }

  /**
   * Runs work as soon as the limits allow.
   * @param deadline end of the wait, by `performance.now()`
   * @throws {Crowded} at `deadline`; errors of `work`
   */
  async run<T> (key: Key, deadline: number, work: () => Promise<T>): Promise<T> {
    await this.#entered(key, deadline)
    try {
      return await work()
    } finally {
      this.#leave(key)
    }
  }

  async #entered (key: Key, deadline: number): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      const queue = this.#waiting.get(key)
      const waiter = { deadline, start: resolve, reject }
      if (queue === undefined) this.#waiting.set(key, [waiter])
      else queue.push(waiter)
      this.#admit()
      this.#sweepLater()
    })
  }

  #leave (key: Key): void {
    this.#free++
    const active = this.#active.get(key) as number - 1
    if (active > 0) this.#active.set(key, active)
    else this.#active.delete(key)
    this.#admit()
  }

  #admit (): void {
    // A served key moves to the end of the map, where the loop visits it again.
    for (const [key, queue] of this.#waiting) {
      if (this.#free === 0) return
      const active = this.#active.get(key) ?? 0
      if (active >= this.#perKey) continue
      const next = queue.shift() as Waiter
      this.#waiting.delete(key)
      if (queue.length > 0) this.#waiting.set(key, queue)
      this.#free--
      this.#active.set(key, active + 1)
      next.start()
    }
  }

  /** Uses one timer for all waiters. */
  #sweepLater (): void {
    if (this.#sweeping || this.#waiting.size === 0) return
    this.#sweeping = true
    setTimeout(() => {
      this.#sweeping = false
      const now = performance.now()
      for (const [key, queue] of this.#waiting) {
        const overdue = queue.filter(({ deadline }) => deadline <= now)
        if (overdue.length === 0) continue
        const left = queue.filter(({ deadline }) => deadline > now)
        if (left.length > 0) queue.splice(0, queue.length, ...left)
        else this.#waiting.delete(key)
        for (const { reject } of overdue) reject(new Crowded(`${this.#name} waited too long`))
      }
      this.#sweepLater()
    }, sweepInterval)
  }
}
