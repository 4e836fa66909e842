import type { Storage, Transaction } from 'obra/client/sync'

/** Never settles, as nothing does in a process that has ended. */
const nothing = new Promise<never>(() => {})

/** Gives a storage to one process after the other. When a process crashes, its work stops wherever it is. */
export class Incarnation implements Storage {
  readonly #storage: Storage
  #isDead = false
  #die = (_reason: Error) => {}
  readonly #death = new Promise<never>((_resolve, reject) => { this.#die = reject })

  constructor (storage: Storage) {
    this.#storage = storage
    this.#death.catch(() => {})
  }

  get isDead (): boolean {
    return this.#isDead
  }

  /** Ends the process. Writes that have begun are completed or not; it never learns which. */
  async crash (): Promise<void> {
    this.#isDead = true
    this.#die(new Error('crashed'))
    await this.#storage.transaction('read', async () => {})
  }

  /** The result, unless the process has ended. */
  async unlessDead<Result> (work: Promise<Result>): Promise<Result> {
    const result = await work.catch(error => this.#isDead ? nothing : Promise.reject(error))
    return this.#isDead ? await nothing : result
  }

  async transaction<Result> (mode: 'read' | 'write', work: (transaction: Transaction) => Promise<Result>): Promise<Result> {
    const run = async (transaction: Transaction): Promise<Result> => this.#isDead ? await Promise.reject(new Error('crashed')) : await work(transaction)
    return await this.unlessDead(this.#storage.transaction(mode, run))
  }

  async lock<Result> (name: string, work: () => Promise<Result>, signal?: AbortSignal): Promise<Result> {
    return await this.unlessDead(this.#storage.lock(name, async () => await Promise.race([work(), this.#death]), signal))
  }

  subscribe (listener: () => void): () => void {
    return this.#storage.subscribe(() => { if (!this.#isDead) listener() })
  }

  async close (): Promise<void> {}
}
