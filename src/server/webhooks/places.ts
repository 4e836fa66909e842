import type { Lease, Places, Running } from './leases.ts'

/** Deliveries of this process at the same time, see {@link Places}. A slow receiver takes no place of a prompt one. */
const most: Places = { prompt: 256, slow: 64, promptOfCompany: 64, slowOfCompany: 16 }

/** The deliveries of this process, each in a place of its class. */
export class RunningDeliveries {
  readonly #running = new Map<Lease, Promise<void>>()
  /** Classes that had no free place at the last look for webhooks. */
  #full = { prompt: false, slow: false }

  get size (): number {
    return this.#running.size
  }

  get free (): Places {
    const slow = [...this.#running.keys()].filter(({ isSlow }) => isSlow).length
    return { ...most, prompt: most.prompt - (this.#running.size - slow), slow: most.slow - slow }
  }

  ofCompanies (): Running[] {
    return [...Map.groupBy(this.#running.keys(), ({ company }) => company)].map(([company, leases]) => {
      const slow = leases.filter(({ isSlow }) => isSlow).length
      return { company, prompt: leases.length - slow, slow }
    })
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
    return this.#full[lease.isSlow ? 'slow' : 'prompt']
  }

  /** Waits for the end of all. */
  async ended (): Promise<void> {
    await Promise.all(this.#running.values())
  }
}
