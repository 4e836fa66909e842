import { join } from 'node:path'
import { Dexie } from 'dexie'
import { IDBKeyRange, indexedDB } from 'fake-indexeddb'
import t from 'tap'
import type { Test } from 'tap'
import { memoryStorage } from 'obra/client/sync'
import { dexieStorage } from 'obra/client/sync/dexie'
import { fileStorage } from 'obra/client/sync/file'
import { sqliteStorage } from 'obra/client/sync/sqlite'
import type { Storage } from 'obra/client/sync'
import type { SqliteDatabase } from 'obra/client/sync/sqlite'
import { list, write } from './entries.ts'
import { expoDatabase } from './expo-database.ts'

// Node.js has no IndexedDB. Chromium's is tested with the example app.
Object.assign(Dexie.dependencies, { indexedDB, IDBKeyRange })

const open: Record<string, (t: Test) => Promise<Storage>> = {
  memory: async () => memoryStorage(),
  file: async t => await fileStorage(join(t.testdir(), 'store')),
  IndexedDB: async t => dexieStorage(t.name),
  SQLite: async () => await sqliteStorage(expoDatabase(':memory:'))
}
for (const [name, opened] of Object.entries(open)) {
  t.test(`${name}: keeps, lists and deletes values`, async (t) => {
    const storage = await opened(t)
    await write(storage, ['b/2', { n: 2 }], ['a/1', 1], ['b/10', null], ['c', 'x'])
    t.strictSame(await list(storage, 'b/'), [['b/10', null], ['b/2', { n: 2 }]])
    t.strictSame(await storage.transaction('read', async ({ read }) => await read(['c', 'b/10', 'none', 'a/1'])), ['x', null, undefined, 1])
    await write(storage, ['b/2', undefined], ['none', undefined], ['c', 'y'], ['c', 'z'])
    t.strictSame(await list(storage), [['a/1', 1], ['b/10', null], ['c', 'z']])
    await storage.close()
  })

  t.test(`${name}: keeps bytes`, async (t) => {
    const storage = await opened(t)
    const all = Uint8Array.from({ length: 256 }, (_, byte) => byte)
    await write(storage, ['a', all], ['b', new Uint8Array()], ['c', all], ['c', undefined])
    const entries = await list(storage) as Array<[string, Uint8Array]>
    t.strictSame(entries.map(([key, bytes]) => [key, bytes instanceof Uint8Array, [...bytes]]), [['a', true, [...all]], ['b', true, []]])
    await storage.close()
  })

  t.test(`${name}: a transaction sees its own writes, and all or none stay`, async (t) => {
    const storage = await opened(t)
    await write(storage, ['a', 1], ['b', 1])
    await t.rejects(storage.transaction('write', async (transaction) => {
      await transaction.write([['a', 2], ['b', undefined], ['aa', 3]])
      t.strictSame([await transaction.read(['a', 'b']), await transaction.list('')], [[2, undefined], [['a', 2], ['aa', 3]]])
      throw new Error('no')
    }), { message: 'no' })
    t.strictSame(await list(storage), [['a', 1], ['b', 1]])
    await storage.close()
  })

  t.test(`${name}: transactions that change the same value do not lose a change`, async (t) => {
    const storage = await opened(t)
    await Promise.all(Array.from({ length: 50 }, async () => await storage.transaction('write', async ({ read, write }) => {
      const [count] = await read(['count'])
      await write([['count', Number(count ?? 0) + 1]])
    })))
    t.strictSame(await list(storage), [['count', 50]])
    await storage.close()
  })

  t.test(`${name}: calls listeners after the commit`, async (t) => {
    const storage = await opened(t)
    let calls = 0
    const end = storage.subscribe(() => { calls++ })
    await write(storage, ['a', 1], ['b', 2])
    await list(storage)
    await storage.transaction('write', async () => { throw new Error('no') }).catch(() => {})
    end()
    await write(storage, ['c', 1])
    t.equal(calls, 1)
    await storage.close()
  })

  t.test(`${name}: work under a lock runs one after the other, in order`, async (t) => {
    const storage = await opened(t)
    const events: string[] = []
    const work = async (id: string) => await storage.lock('x', async () => {
      events.push(`${id} begins`)
      await new Promise(resolve => setTimeout(resolve, 2))
      events.push(`${id} ends`)
      if (id === '1') throw new Error('work may fail')
      return id
    })
    const results = await Promise.allSettled([work('1'), work('2'), work('3')])
    t.strictSame(events, ['1 begins', '1 ends', '2 begins', '2 ends', '3 begins', '3 ends'])
    t.match(results, [{ status: 'rejected' }, { value: '2' }, { value: '3' }])
    await storage.close()
  })
}

t.test('an aborted wait for a lock does not let two run at once', async (t) => {
  const storage = memoryStorage()
  let running = 0
  const most: number[] = []
  const work = async () => {
    most.push(running += 1)
    await new Promise(resolve => setTimeout(resolve, 5))
    running -= 1
  }
  const controller = new AbortController()
  const first = storage.lock('x', work)
  const second = storage.lock('x', work, controller.signal)
  controller.abort()
  await t.rejects(second, { name: 'AbortError' })
  await Promise.all([first, storage.lock('x', work), storage.lock('x', work)])
  t.strictSame(most, [1, 1, 1])
})

t.test('IndexedDB: tabs share entries and hear of changes', async (t) => {
  const [one, two] = [dexieStorage('tabs'), dexieStorage('tabs')]
  const heard = new Promise<void>(resolve => two.subscribe(resolve))
  await write(one, ['a', 1])
  await heard
  t.strictSame(await list(two), [['a', 1]])
  await Promise.all([one.close(), two.close()])
})

t.test('SQLite: entries and bytes are in the file, and a failed commit leaves nothing', async (t) => {
  const path = join(t.testdir(), 'obra.db')
  const storage = await sqliteStorage(expoDatabase(path))
  await write(storage, ['a', { text: '\u0000"\\ud800 ñ' }], ['b', Uint8Array.of(0, 255)])
  await storage.close()
  const database = expoDatabase(path)
  let isFull = true
  const full = await sqliteStorage({
    ...database,
    execAsync: async (statements) => {
      if (isFull && statements === 'commit') throw new Error('database or disk is full')
      await database.execAsync(statements)
    }
  })
  await t.rejects(write(full, ['a', 2], ['c', 3]), { message: 'database or disk is full' })
  isFull = false
  t.strictSame(await list(full), [['a', { text: '\u0000"\\ud800 ñ' }], ['b', Uint8Array.of(0, 255)]])
  await full.close()
})

t.test('SQLite: needs an open database', async (t) => {
  const refused = async (database: unknown, message: string) => await t.rejects(sqliteStorage(database as SqliteDatabase), { name: 'TypeError', message })
  await refused(Promise.resolve(), 'sqliteStorage needs a database, not a promise: await openDatabaseAsync(name).')
  await refused('obra.db', 'sqliteStorage needs a database, such as await openDatabaseAsync(name) of expo-sqlite.')
})
