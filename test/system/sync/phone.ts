import { appendFile } from 'node:fs/promises'
import { createObraClient, type ObraClient, type Tokens } from 'obra/client'
import { memoryStorage, openStore, type Storage, type Store } from 'obra/client/sync'
import { fileStorage } from 'obra/client/sync/file'
import { demoPassword } from '../../../src/domain/demo/data.ts'
import type { Random } from '../../support/trial/random.ts'
import { Incarnation } from './crashes.ts'
import type { Ledger } from './ledger.ts'
import type { Network } from './network.ts'
import { Wire } from './wire.ts'

/** An account, and the companies that it can make active. */
export interface User {
  email: string
  tokens: Tokens
  companies: number[]
}

/** A phone with a store, which survives its processes. */
export class Phone {
  readonly name: string
  readonly user: User
  readonly wire: Wire
  readonly ledger: Ledger
  readonly random: Random
  readonly #network: Network
  readonly #path: string | undefined
  #storage: Storage | undefined
  #process: Incarnation | undefined
  #syncs = new Set<Promise<unknown>>()
  /** Whether the last synchronization failed. */
  hasFailed = false
  /** Number of acts until it has a connection again. */
  offlineFor = 0
  client!: ObraClient
  store!: Store
  /** Number of synchronizations that ended well, and of all. */
  readonly counts = { synced: 0, syncs: 0, crashes: 0 }

  /** @param path file of its storage; undefined for memory, which survives as a browser's database does */
  constructor (name: string, user: User, { network, ledger, random, path }: { network: Network, ledger: Ledger, random: Random, path: string | undefined }) {
    this.name = name
    this.user = user
    this.wire = new Wire(ledger)
    this.ledger = ledger
    this.random = random
    this.#network = network
    this.#path = path
  }

  /** Starts its app. */
  async open (): Promise<void> {
    this.#storage ??= this.#path === undefined ? memoryStorage() : await fileStorage(this.#path)
    const incarnation = this.#process = new Incarnation(this.#storage)
    const send = this.#network.fetchOf(this.wire, this.random, () => incarnation.isDead)
    const { email, tokens } = this.user
    this.client = createObraClient({
      baseUrl: 'http://obra.test',
      email,
      password: demoPassword,
      tokens,
      retries: this.random() < 0.2 ? 1 : 0,
      fetch: async (request) => {
        if (this.offlineFor > 0) throw new TypeError('offline')
        return await incarnation.unlessDead(send(request))
      }
    })
    this.store = await openStore({ client: this.client, storage: incarnation })
  }

  /** Ends its app at once, and starts it again. The end of its file can be a transaction that was not written completely. */
  async crash (): Promise<void> {
    this.counts.crashes++
    this.wire.crash()
    await this.#process?.crash()
    this.#syncs.clear()
    if (this.#path !== undefined) {
      await this.#storage?.close()
      this.#storage = undefined
      if (this.random() < 0.5) await appendFile(this.#path, '[["store/1/1/edit/00')
    }
    await this.open()
  }

  /** Waits for the end of its synchronizations. */
  async idle (): Promise<void> {
    while (this.#syncs.size > 0) await Promise.allSettled(this.#syncs)
  }

  /** Begins a synchronization. @returns its error */
  async sync (): Promise<Error | undefined> {
    const { store } = this
    this.counts.syncs++
    const sync = store.sync().then(() => { this.counts.synced++; return undefined }, (error: Error) => error)
    this.#syncs.add(sync)
    const result = await sync
    this.#syncs.delete(sync)
    this.hasFailed = result !== undefined
    return result
  }

  /** All entries of its storage whose keys begin with the prefix. */
  async entries (prefix: string): Promise<Array<[key: string, value: unknown]>> {
    return await (this.#storage as Storage).transaction('read', async ({ list }) => await list(prefix))
  }

  async close (): Promise<void> {
    await this.store.close()
    await this.#storage?.close()
  }
}
