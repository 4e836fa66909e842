import { either } from '../aborts.ts'
import { clientError } from '../errors.ts'
import { followRemovals, keysOf, knownFiles } from './attachment-entries.ts'
import { Files, noFiles, readFiles } from './attachments.ts'
import { collectionOf, emptyCollection } from './collection.ts'
import { followCompany } from './companies.ts'
import { Edits, maxEdits } from './edits.ts'
import { live } from './live.ts'
import { companyIn, companyKey, identityOf, isEditKey, isFileKey, isStateKey, Scope, userPrefix, withoutScope } from './scope.ts'
import { allResources, selectionIn } from './selection.ts'
import { noSummary, readSummary } from './summary.ts'
import { failureIn, synchronize } from './synchronize.ts'
import type { ObraClient } from '../types.ts'
import type { FileEntry } from './attachment-entries.ts'
import type { Status, Storage, Store as PublicStore, StoreOptions } from './types.ts'
import type { Selection } from './selection.ts'
import type { Summary } from './summary.ts'

/**
 * Opens the store of a client's user. Another user or active company gets other records and edits of the same storage. With other
 * `resources` or `contracts` than before, the next synchronization replaces the copy. Edits stay.
 * @throws {TypeError} for an unknown resource, an empty list, or more than 100 contracts
 */
export async function openStore ({ client, storage, resources, contracts, sha256 }: StoreOptions): Promise<PublicStore> {
  if (typeof client?.watchUser !== 'function') throw new TypeError('openStore needs `client`, made with createObraClient.')
  if (typeof storage?.transaction !== 'function') {
    const advice = storage instanceof Promise ? 'not a promise: await fileStorage(path)' : 'such as memoryStorage()'
    throw new TypeError(`openStore needs \`storage\`, ${advice}.`)
  }
  const store = new Store(client, storage, selectionIn({ resources, contracts }), sha256)
  await store.refresh()
  return store as Store & PublicStore // its constructor adds the collections
}

class Store {
  #client: ObraClient
  #storage: Storage
  #selection: Selection
  #summary: Summary = noSummary
  /** Reads of the summary, and the latest one that is shown: two can end in another order. */
  #reads = 0
  #shownRead = 0
  /** Called after each change. */
  #listeners = new Set<() => void>()
  #statusListeners = new Set<(status: Status) => void>()
  /** The last failed synchronization, while the active company is not known. */
  #failure: Pick<Status, 'error' | 'code'> = { error: undefined, code: undefined }
  #syncs = new Set<Promise<void>>()
  /** Ends the running synchronization. */
  #clearing: AbortController | undefined
  /** Ends all synchronizations. */
  #closing = new AbortController()
  #live: { controller: AbortController, ended: Promise<void> } | undefined
  files: Files
  /** End what the store listens to. Empty when it is closed. */
  #ends: Array<() => void> = []

  constructor (client: ObraClient, storage: Storage, selection: Selection, sha256: StoreOptions['sha256']) {
    this.#client = client
    this.#storage = storage
    this.#selection = selection
    this.files = new Files(this, client, storage, selection, sha256)
    for (const name of allResources) {
      Object.assign(this, { [name]: selection.resources.includes(name) ? collectionOf(this, name) : emptyCollection(this, name) })
    }
    const changed = () => {
      this.refresh().catch(error => this.report(error))
      for (const listener of this.#listeners) listener()
    }
    this.#ends = [storage.subscribe(changed), client.watchUser(() => {
      this.#failure = { error: undefined, code: undefined }
      this.#show(noSummary)
      this.files.show(noFiles)
      changed()
    }), followCompany(client, storage, error => this.report(error))]
  }

  get status () { return this.#summary.status }
  get conflicts () { return this.#summary.conflicts }
  get refused () { return this.#summary.refused }
  get blocked () { return this.#summary.blocked }
  get language () { return this.#client.language }

  /** Reports an error that no caller waits for, unless the store is closed. */
  report (error: unknown) {
    if (this.#ends.length > 0) queueMicrotask(() => { throw error })
  }

  onStatus (callback: (status: Status) => void) {
    this.#statusListeners.add(callback)
    return () => { this.#statusListeners.delete(callback) }
  }

  onChange (listener: () => void) {
    this.#listeners.add(listener)
    return () => { this.#listeners.delete(listener) }
  }

  /**
   * Runs `work` on the current user's entries in the active company.
   * @param work gets no scope without a user or company
   */
  async transaction<Result> (mode: 'read' | 'write', work: (scope: Scope | undefined) => Promise<Result>): Promise<Result> {
    const { user } = this.#client
    const result = await this.#storage.transaction(mode, async (transaction) => {
      if (user === undefined) return await work(undefined)
      const [company] = await transaction.read([companyKey(user)])
      return await work(typeof company === 'number' ? new Scope(transaction, user, company) : undefined)
    })
    // Do not return the result of one user to the next.
    return mode === 'read' && this.#client.user !== user ? await this.transaction(mode, work) : result
  }

  /**
   * Changes edits.
   * @param prefix of the scope, if another one must not be changed
   * @throws {ObraError} 401 `not_authenticated`, also for another scope; 409 `queue_full`
   */
  async changeEdits<Result> (work: (edits: Edits) => Promise<Result>, prefix?: string) {
    const result = await this.transaction('write', async (scope) => {
      if (scope === undefined || scope.prefix !== (prefix ?? scope.prefix)) throw withoutScope()
      const edits = await Edits.load(scope)
      const before = [...edits.all]
      const result = await work(edits)
      if (edits.all.length > Math.max(before.length, maxEdits)) throw queueFull()
      await followRemovals(edits, before)
      await edits.save()
      return result
    })
    // The edit is stored, whatever happens here.
    await this.refresh().catch(error => this.report(error))
    return result
  }

  /** Calls a function of the app. Its errors are not the store's. */
  call<Value> (callback: (value: Value) => void, value: Value) {
    try {
      callback(value)
    } catch (error) {
      this.report(error)
    }
  }

  /** Reads status, conflicts, refused edits and files again. */
  async refresh () {
    const reading = this.#reads += 1
    const [summary, files] = await this.transaction('read', async scope => scope === undefined
      ? []
      : [await readSummary(scope, this), await readFiles(scope, this)])
    if (reading < this.#shownRead) return
    this.#shownRead = reading
    this.#show(summary ?? { ...noSummary, status: { ...noSummary.status, ...this.#failure } })
    this.files.show(files ?? noFiles)
  }

  #show (summary: Summary) {
    const isChanged = JSON.stringify(summary) !== JSON.stringify(this.#summary)
    this.#summary = summary
    if (isChanged) for (const listener of this.#statusListeners) this.call(listener, summary.status)
  }

  async sync ({ signal }: { signal?: AbortSignal } = {}) {
    await this.syncRecords({ signal })
    await this.sendFiles({ signal })
  }

  async syncRecords ({ signal }: { signal?: AbortSignal | undefined }) {
    await this.#until(signal, async signal => await this.#sync(signal))
  }

  async sendFiles ({ signal }: { signal?: AbortSignal | undefined }) {
    await this.#until(signal, async signal => await this.files.send(signal))
  }

  /** @param work ends when the store is closed */
  async #until (signal: AbortSignal | undefined, work: (signal: AbortSignal) => Promise<void>) {
    const closing = this.#closing.signal
    const { signal: ended, release } = signal === undefined ? { signal: closing, release: () => {} } : either(signal, closing)
    const sync = work(ended)
    this.#syncs.add(sync)
    await sync.finally(() => {
      release()
      this.#syncs.delete(sync)
    })
  }

  async #sync (signal: AbortSignal) {
    const { user } = this.#client
    try {
      await this.#storage.lock('sync', async () => {
        this.#clearing = new AbortController()
        const ended = either(signal, this.#clearing.signal)
        await synchronize(this.#client, this.#storage, this.#selection, ended.signal).finally(ended.release)
      }, signal)
    } catch (error) {
      if (!signal.aborted && this.#client.user === user) this.#failure = failureIn(error)
      throw error
    } finally {
      await this.refresh().catch(error => this.report(error))
    }
  }

  start () {
    if (this.#live !== undefined) return
    const controller = new AbortController()
    const { signal } = controller
    this.#live = { controller, ended: this.#keepSynchronized(signal) }
  }

  /** Synchronizes until the signal aborts, as the only one of several tabs. */
  async #keepSynchronized (signal: AbortSignal) {
    try {
      await this.#storage.lock('live', async () => await live(this, this.#client, signal), signal)
    } catch (error) {
      if (!signal.aborted) this.report(error)
    }
  }

  async stop () {
    const live = this.#live
    this.#live = undefined
    live?.controller.abort()
    await live?.ended
  }

  async clear ({ force = false }: { force?: boolean } = {}) {
    this.#clearing?.abort()
    const { user } = this.#client
    // A synchronization would bring records back.
    await this.#storage.lock('sync', async () => await this.#storage.transaction('write', async (transaction) => {
      const entries = user === undefined ? [] : await transaction.list(userPrefix(user))
      const unsent = entries.filter(([key, value]) => isEditKey(key) && Object(value).status !== 'accepted')
      const files = entries.filter(([key]) => isFileKey(key)) as Array<[string, FileEntry]> // by their keys
      const companies = new Set(files.map(([key]) => companyIn(key)))
      const scopes = user === undefined ? [] : [...companies].map(company => new Scope(transaction, user, company))
      const known = await Promise.all(scopes.map(async scope => await knownFiles(scope, await scope.allEdits())))
      const unsentFiles = known.flat().filter(({ isDone }) => !isDone)
      if (!force && unsent.length + unsentFiles.length > 0) throw stillPending(unsent.length, unsentFiles.length)
      await transaction.write(entries.map(([key, value]) => [key, isStateKey(key) ? identityOf(Object(value)) : undefined]))
      await transaction.write(files.flatMap(([key, file]) => keysOf(key, file)).map(key => [key, undefined]))
    }))
    await this.refresh()
  }

  async close () {
    await this.stop()
    for (const end of this.#ends) end()
    this.#ends = []
    this.#closing.abort()
    await Promise.allSettled(this.#syncs)
    this.#listeners.clear()
    this.files.close()
    this.#statusListeners.clear()
    await this.#storage.close()
  }
}

function queueFull () {
  const count = maxEdits.toLocaleString('en')
  const advice = 'Synchronize it, or resolve its conflicts and refused edits.'
  return clientError(409, 'queue_full', `The store has ${count} edits that are not synchronized. ${advice}`)
}

function stillPending (edits: number, files: number) {
  const counts = Object.entries({ edit: edits, file: files }).filter(([, count]) => count !== 0)
  const counted = counts.map(([name, count]) => `${count} ${name}${count === 1 ? '' : 's'}`)
  return clientError(409, 'pending', `${counted.join(' and ')} ${edits + files === 1 ? 'is' : 'are'} not on the server.`)
}
