import { limits } from '../../config/limits.ts'
import type { Lease } from './leases.ts'
import type { DeliveryCounts, Running } from './take.ts'

/** Deliveries of this process at the same time, see {@link DeliveryCounts}. A slow receiver takes no slot of a prompt one. */
const maxDeliveries: DeliveryCounts = {
  prompt: limits.webhooks.prompt,
  slow: limits.webhooks.slow,
  promptOfCustomer: limits.webhooks.promptOfCustomer,
  slowOfCustomer: limits.webhooks.slowOfCustomer,
  host: limits.webhooks.host,
  hostOfCustomer: limits.webhooks.hostOfCustomer
}

/** The deliveries of this process. Each takes a slot of its class, of its customer and of its host. */
export class RunningDeliveries {
  readonly #running = new Map<Lease, Promise<void>>()
  /** Names of the limits that had no free slot at the last look for webhooks. */
  readonly #full = new Set<string>()

  get size (): number {
    return this.#running.size
  }

  get free (): DeliveryCounts {
    const slow = [...this.#running.keys()].filter(({ isSlow }) => isSlow).length
    return { ...maxDeliveries, prompt: maxDeliveries.prompt - (this.#running.size - slow), slow: maxDeliveries.slow - slow }
  }

  /** The running deliveries. */
  all (): Running[] {
    return [...this.#running.keys()]
  }

  /** Adds deliveries to the webhooks that were taken. @param deliver must not throw */
  begin (leases: Lease[], deliver: (lease: Lease) => Promise<void>): void {
    for (const lease of leases) this.#running.set(lease, deliver(lease))
    this.#full.clear()
    const counts = new Map<string, { count: number, limit: number }>()
    for (const lease of this.#running.keys()) {
      for (const [name, limit] of [...ofAll(lease), ...ofCustomer(lease)]) {
        const counted = counts.get(name) ?? { count: 0, limit }
        counted.count++
        counts.set(name, counted)
      }
    }
    for (const [name, { count, limit }] of counts) if (count >= limit) this.#full.add(name)
  }

  /** @returns whose webhooks may have waited for this slot: those of all companies, those of the same customer, or none */
  end (lease: Lease): 'all' | 'customer' | undefined {
    this.#running.delete(lease)
    if (ofAll(lease).some(([name]) => this.#full.has(name))) return 'all'
    return ofCustomer(lease).some(([name]) => this.#full.has(name)) ? 'customer' : undefined
  }

  /** Waits for the end of all. */
  async ended (): Promise<void> {
    await Promise.all(this.#running.values())
  }
}

const classOf = ({ isSlow }: Running) => isSlow ? 'slow' as const : 'prompt' as const

/** The limits that a delivery shares with those of all customers: name, and number of slots. */
function ofAll (running: Running): Array<[name: string, limit: number]> {
  return [[classOf(running), maxDeliveries[classOf(running)]], [`host ${running.host}`, maxDeliveries.host]]
}

/** The limits that a delivery shares with those of its customer. */
function ofCustomer (running: Running): Array<[name: string, limit: number]> {
  const { customer, host } = running
  return [
    [`${classOf(running)} of ${customer}`, maxDeliveries[`${classOf(running)}OfCustomer`]],
    [`host of ${customer} ${host}`, maxDeliveries.hostOfCustomer]
  ]
}
