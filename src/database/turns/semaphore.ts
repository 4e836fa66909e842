import { LRUCache } from 'lru-cache'
import { Crowded } from './crowded.ts'
import type { MessageKey } from '../../http/messages.ts'

interface Waiter {
  deadline: number
  start: () => void
  reject: (error: Error) => void
}

/** Limits of a {@link Semaphore}. */
interface SemaphoreOptions {
  /** Name of the work in error messages. */
  name: string
  /** Concurrent work in total. Can be `Infinity`. */
  size: number
  /** Concurrent work of one key. */
  perKey: number
  /** Concurrent work of one group of keys, while there is another group (see {@link seenFor}). Default: no limit. */
  perGroup?: number
  /** Waiting work of one key. More is refused at once. Default: no limit. */
  waitingPerKey?: number
  /** The message of the answer after a wait that was too long, or to work that cannot wait. */
  key?: MessageKey
}

/** Time in ms after its last work for which a group counts. With a single group, the others' part of the connections would stay unused. */
const seenFor = 5 * 60_000

/** Interval in ms at which overdue waiters are rejected. */
const sweepInterval = 100

/**
 * Limits concurrent work, in total, by key and by group of keys. Waiting groups take turns, and so do the keys of a group. Work of the same
 * key starts in the order of its arrival.
 */
export class Semaphore<Key extends {}> {
  readonly #name: string
  readonly #key: MessageKey | undefined
  readonly #perKey: number
  readonly #perGroup: number
  readonly #waitingPerKey: number
  readonly #active = new Map<Key, number>()
  readonly #activeOfGroups = new Map<unknown, number>()
  readonly #groups = new LRUCache<{}, true>({ max: 100, ttl: seenFor, ttlResolution: 0 })
  /** Work in progress, by key. */
  readonly active: ReadonlyMap<Key, number> = this.#active
  /** Waiting work by group and key, in the order of their turns. */
  readonly #waiting = new Map<unknown, Map<Key, Waiter[]>>()
  #free: number
  #sweeping = false

  constructor ({ name, size, perKey, perGroup = Infinity, waitingPerKey = Infinity, key }: SemaphoreOptions) {
    this.#name = name
    this.#key = key
    this.#perKey = perKey
    this.#perGroup = perGroup
    this.#waitingPerKey = waitingPerKey
    this.#free = size
  }

  /**
   * Runs work as soon as the limits allow.
   * @param deadline end of the wait, by `performance.now()`
   * @param group of the key, always the same. Default: a group of its own.
   * @throws {Crowded} at `deadline`, or at once if too much work of the key waits; errors of `work`
   */
  async run<T> (key: Key, deadline: number, work: () => Promise<T>, group: {} = key): Promise<T> {
    await this.#entered(key, deadline, group)
    try {
      return await work()
    } finally {
      this.#leave(key, group)
    }
  }

  async #entered (key: Key, deadline: number, group: {}): Promise<void> {
    const ahead = this.#waiting.get(group)?.get(key)?.length ?? 0
    if (ahead >= this.#waitingPerKey) throw new Crowded(`too many ${this.#name} wait`, { key: this.#key })
    this.#groups.set(group, true)
    await new Promise<void>((resolve, reject) => {
      const queues = this.#waiting.get(group) ?? new Map<Key, Waiter[]>()
      this.#waiting.set(group, queues)
      const queue = queues.get(key)
      const waiter = { deadline, start: resolve, reject }
      if (queue === undefined) queues.set(key, [waiter])
      else queue.push(waiter)
      this.#startWaiting()
      this.#sweepLater()
    })
  }

  #leave (key: Key, group: unknown): void {
    this.#free++
    count(this.#active, key, -1)
    count(this.#activeOfGroups, group, -1)
    this.#startWaiting()
  }

  #startWaiting (): void {
    // A served group moves to the end of the map, where the loop visits it again.
    for (const [group, queues] of this.#waiting) {
      if (this.#free === 0) return
      if ((this.#activeOfGroups.get(group) ?? 0) >= this.#perGroup && this.#hasGroups()) continue
      const [key, queue] = [...queues].find(([key]) => (this.#active.get(key) ?? 0) < this.#perKey) ?? []
      const next = queue?.shift()
      if (key === undefined || queue === undefined || next === undefined) continue
      queues.delete(key)
      if (queue.length > 0) queues.set(key, queue)
      this.#waiting.delete(group)
      if (queues.size > 0) this.#waiting.set(group, queues)
      this.#free--
      count(this.#active, key, 1)
      count(this.#activeOfGroups, group, 1)
      next.start()
    }
  }

  #hasGroups (): boolean {
    if (this.#groups.size > 1) this.#groups.purgeStale()
    return this.#groups.size > 1
  }

  /** Uses one timer for all waiters. */
  #sweepLater (): void {
    if (this.#sweeping || this.#waiting.size === 0) return
    this.#sweeping = true
    setTimeout(() => {
      this.#sweeping = false
      const now = performance.now()
      for (const [group, queues] of this.#waiting) {
        for (const [key, queue] of queues) {
          const overdue = queue.filter(({ deadline }) => deadline <= now)
          if (overdue.length === 0) continue
          const left = queue.filter(({ deadline }) => deadline > now)
          if (left.length > 0) queue.splice(0, queue.length, ...left)
          else queues.delete(key)
          for (const { reject } of overdue) reject(new Crowded(`${this.#name} waited too long`, { key: this.#key }))
        }
        if (queues.size === 0) this.#waiting.delete(group)
      }
      this.#sweepLater()
    }, sweepInterval)
  }
}

function count<K> (counts: Map<K, number>, key: K, by: 1 | -1): void {
  const counted = (counts.get(key) ?? 0) + by
  if (counted > 0) counts.set(key, counted)
  else counts.delete(key)
}
