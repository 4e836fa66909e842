import type { Lease, Places } from './leases.ts'

/** Deliveries of this process at the same time, see {@link Places}. A slow receiver takes no place of a prompt one. */
const most: Places = { prompt: 256, slow: 64, slowOfCompany: 16 }

/** Counts the running deliveries. */
export class RunningDeliveries {
  readonly #running = new Map<Lease, Promise<void>>()
  /** Classes that had no free place at the last look for webhooks. */
  #full = { prompt: false, slow: false }

  get size (): number {
    return this.#running.size
  }

  get free (): Places {
    const slow = [...this.#running.keys()].filter(isSlow).length
    return { ...most, prompt: most.prompt - (this.#running.size - slow), slow: most.slow - slow }
  }

  /** Number of deliveries to slow webhooks, by company. */
  slowByCompany (): Map<number, number> {
    const slow = Map.groupBy([...this.#running.keys()].filter(isSlow), ({ company }) => company)
    return new Map([...slow].map(([company, { length }]) => [company, length]))
  }

  /** Adds deliveries to the webhooks that were taken. @param deliver must not throw */
  begin (leases: Lease[], deliver: (lease: Lease) => Promise<void>): void {
    for (const lease of leases) this.#running.set(lease, deliver(lease))
    const { prompt, slow } = this.free
    this.#full = { prompt: prompt <= 0, slow: slow <= 0 }
  }

  /** @returns whether a webhook may have waited for this place */
  end (lease: Lease): boolean {
    this.#running.delete(lease)
    return this.#full[isSlow(lease) ? 'slow' : 'prompt']
  }

  /** Waits for the end of all. */
  async ended (): Promise<void> {
    await Promise.all(this.#running.values())
  }
}

function isSlow (lease: Lease): boolean {
  return lease.failures > 0 || lease.isSlow
}
