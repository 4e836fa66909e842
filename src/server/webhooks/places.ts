import type { CompanyLoad, Lease, Places } from './leases.ts'

/** Deliveries of this process at the same time, see {@link Places}. A slow receiver takes no place of a prompt one. */
const most: Places = { prompt: 256, slow: 64, promptOfCompany: 64, slowOfCompany: 16 }

/** The deliveries of this process, each in a place of its class. */
export class RunningDeliveries {
  readonly #running = new Map<Lease, Promise<void>>()
  /** What had no free place at the last look for webhooks: classes, and classes of a company. */
  readonly #full = new Set<string>()

  get size (): number {
    return this.#running.size
  }

  get free (): Places {
    const slow = [...this.#running.keys()].filter(({ isSlow }) => isSlow).length
    return { ...most, prompt: most.prompt - (this.#running.size - slow), slow: most.slow - slow }
  }

  /** The running deliveries, by company. */
  loads (): CompanyLoad[] {
    return [...Map.groupBy(this.#running.keys(), ({ company }) => company)].map(([company, leases]) => {
      const slow = leases.filter(({ isSlow }) => isSlow).length
      return { company, prompt: leases.length - slow, slow }
    })
  }

  /** Adds deliveries to the webhooks that were taken. @param deliver must not throw */
  begin (leases: Lease[], deliver: (lease: Lease) => Promise<void>): void {
    for (const lease of leases) this.#running.set(lease, deliver(lease))
    this.#full.clear()
    this.#noteFull('', this.free.prompt <= 0, this.free.slow <= 0)
    for (const { company, prompt, slow } of this.loads()) this.#noteFull(company, prompt >= most.promptOfCompany, slow >= most.slowOfCompany)
  }

  #noteFull (company: number | '', prompt: boolean, slow: boolean): void {
    if (prompt) this.#full.add(`prompt ${company}`)
    if (slow) this.#full.add(`slow ${company}`)
  }

  /** @returns whose webhooks may have waited for this place: those of all companies, of the same one, or none */
  end (lease: Lease): 'all' | 'company' | undefined {
    this.#running.delete(lease)
    const kind = lease.isSlow ? 'slow' : 'prompt'
    if (this.#full.has(`${kind} `)) return 'all'
    return this.#full.has(`${kind} ${lease.company}`) ? 'company' : undefined
  }

  /** Waits for the end of all. */
  async ended (): Promise<void> {
    await Promise.all(this.#running.values())
  }
}
