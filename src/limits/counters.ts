import { LRUCache } from 'lru-cache'

/** A count and the time in ms until it is forgotten. */
interface Counter {
  count: number
  ttl: number
}

/** Counters by name. Each is forgotten after its own time. */
export interface Counters {
  read: (name: string) => Promise<Counter>
  /**
   * Adds one.
   * @param ttl maps the new count to ms until the counter is forgotten
   */
  add: (name: string, ttl: (count: number) => number) => Promise<void>
  remove: (name: string) => Promise<void>
}

/** Maximum counters in memory. */
const maxCounters = 10_000

/** Counters in this process. The least recently used are evicted. */
export function countersHere (): Counters {
  const counts = new LRUCache<string, number>({ max: maxCounters, ttlResolution: 0 }) // exact, so that an announced wait is long enough
  return {
    read: async name => ({ count: counts.get(name) ?? 0, ttl: counts.getRemainingTTL(name) }),
    async add (name, ttl) {
      const count = (counts.get(name) ?? 0) + 1
      counts.set(name, count, { ttl: ttl(count) })
    },
    remove: async (name) => { counts.delete(name) }
  }
}
