import { Dexie } from 'dexie'
import { Locks } from './locks.ts'
import type { Table } from 'dexie'
import type { Storage } from './types.ts'

/** A storage in IndexedDB, which the tabs of an origin share. @param name of the database */
export function dexieStorage (name: string): Storage {
  // An edit must survive a power failure once the app has shown it.
  const database = new Dexie(name, { chromeTransactionDurability: 'strict' })
  database.version(1).stores({ entries: 'key' })
  const entries: Table<{ key: string, value: unknown }, string> = database.table('entries')
  const channel = new BroadcastChannel(`obra ${name}`)
  const listeners = new Set<() => void>()
  const publish = () => { for (const listener of listeners) listener() }
  channel.onmessage = publish
  const { locks } = globalThis.navigator ?? {}
  // Pages without HTTPS have no Web Locks.
  const ownLocks = new Locks()

  return {
    transaction: async (mode, work) => {
      let hasWritten = false
      const result = await database.transaction(mode === 'read' ? 'r' : 'rw', entries, async () => await work({
        read: async keys => (await entries.bulkGet(keys)).map(entry => entry?.value),
        list: async prefix => (await entries.where('key').startsWith(prefix).toArray()).map(({ key, value }) => [key, value]),
        write: async (changes) => {
          const latest = new Map(changes)
          hasWritten = true
          await entries.bulkDelete([...latest].filter(([, value]) => value === undefined).map(([key]) => key))
          await entries.bulkPut([...latest].filter(([, value]) => value !== undefined).map(([key, value]) => ({ key, value })))
        }
      }))
      if (hasWritten) {
        channel.postMessage('changed')
        publish()
      }
      return result
    },
    lock: async (lock, work, signal) => locks === undefined
      ? await ownLocks.run(lock, work, signal)
      : await locks.request(`obra ${name} ${lock}`, { signal }, work),
    subscribe: (listener) => {
      listeners.add(listener)
      return () => { listeners.delete(listener) }
    },
    close: async () => {
      listeners.clear()
      channel.close()
      database.close()
    }
  }
}
