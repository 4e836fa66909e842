import { LRUCache } from 'lru-cache'

/** How often something has happened, and in how many milliseconds that is forgotten. */
export interface Counter {
  count: number
  ttl: number
}

/** Counters by name, each forgotten after a time of its own. */
export interface Counters {
  read: (name: string) => Promise<Counter>
  /**
   * Counts once more.
   * @param ttl milliseconds from now until the counter is forgotten, by what it has come to
   */
  add: (name: string, ttl: (count: number) => number) => Promise<void>
  remove: (name: string) => Promise<void>
}

const kept = 10_000

/** Counters in this process; the longest unused go first. */
export function countersHere (): Counters {
  const counts = new LRUCache<string, number>({ max: kept, ttlResolution: 0 }) // to the moment: a wait that is told is one that suffices
  return {
    read: async name => ({ count: counts.get(name) ?? 0, ttl: counts.getRemainingTTL(name) }),
    async add (name, ttl) {
      const count = (counts.get(name) ?? 0) + 1
      counts.set(name, count, { ttl: ttl(count) })
    },
    remove: async (name) => { counts.delete(name) }
  }
}
