import { appendFile, mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Dexie } from 'dexie'
import { IDBKeyRange, indexedDB } from 'fake-indexeddb'
import t from 'tap'
import type { Test } from 'tap'
import { memoryStorage } from 'obra/client/sync'
import { dexieStorage } from 'obra/client/sync/dexie'
import { fileStorage } from 'obra/client/sync/file'
import type { Storage } from 'obra/client/sync'

// Node.js has no IndexedDB. Chromium's is tested with the example app.
Object.assign(Dexie.dependencies, { indexedDB, IDBKeyRange })

const open: Record<string, (t: Test) => Promise<Storage>> = {
  memory: async () => memoryStorage(),
  file: async t => await fileStorage(join(t.testdir(), 'store')),
  IndexedDB: async t => dexieStorage(t.name)
}
const write = async (storage: Storage, ...changes: Array<[string, unknown]>) => await storage.transaction('write', async transaction => await transaction.write(changes))
const list = async (storage: Storage, prefix = '') => await storage.transaction('read', async transaction => await transaction.list(prefix))

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

t.test('file: keeps its entries over a restart, and over a crash while it writes', async (t) => {
  const path = join(t.testdir(), 'store')
  const first = await fileStorage(path)
  await write(first, ['a', 1], ['b', null])
  await write(first, ['a', undefined], ['c', 'ñ'])
  await first.close()
  await appendFile(path, '[["d",')
  const second = await fileStorage(path)
  t.strictSame(await list(second), [['b', null], ['c', 'ñ']])
  await write(second, ['d', 4])
  await second.close()
  const third = await fileStorage(path)
  t.strictSame(await list(third), [['b', null], ['c', 'ñ'], ['d', 4]])
  await third.close()
})

t.test('file: is rewritten when most of it is out of date', async (t) => {
  const path = join(t.testdir(), 'store')
  const storage = await fileStorage(path)
  const text = 'x'.repeat(100_000)
  for (let index = 0; index < 40; index++) await write(storage, ['a', `${index}${text}`], ['b', index])
  t.ok((await stat(path)).size < 2_000_000)
  await storage.close()
  const again = await fileStorage(path)
  t.strictSame(await list(again), [['a', `39${text}`], ['b', 39]])
  await again.close()
})

t.test('file: is rewritten by a process that writes little, if earlier ones wrote much', async (t) => {
  const path = join(t.testdir(), 'store')
  for (let run = 0; run < 8; run++) {
    const storage = await fileStorage(path)
    for (let index = 0; index < 4; index++) await write(storage, ['a', `${run} ${index} ${'x'.repeat(100_000)}`])
    await storage.close()
  }
  t.ok((await stat(path)).size < 2_000_000)
})

t.test('file: a failed rewrite does not prevent writes', async (t) => {
  const dir = t.testdir()
  const path = join(dir, 'store')
  const storage = await fileStorage(path)
  await mkdir(`${path}.next`)
  for (let index = 0; index < 30; index++) await write(storage, ['a', `${index} ${'x'.repeat(100_000)}`])
  await storage.close()
  t.ok((await stat(path)).size > 2_900_000)
  const again = await fileStorage(path)
  t.match(await list(again), [['a', /^29 x/]])
  await again.close()
})

t.test('file: a transaction that has begun ends before the file closes, later ones fail', async (t) => {
  const path = join(t.testdir(), 'store')
  const storage = await fileStorage(path)
  const { promise, resolve } = Promise.withResolvers<void>()
  const slow = storage.transaction('write', async (transaction) => {
    await transaction.write([['a', 1]])
    await promise
  })
  const closed = storage.close()
  resolve()
  await t.rejects(slow, /closed/)
  await closed
  await t.rejects(write(storage, ['b', 1]), /closed/)
  const again = await fileStorage(path)
  t.strictSame(await list(again), [])
  await again.close()
})

t.test('file: one process has it open', async (t) => {
  const path = join(t.testdir(), 'store')
  const storage = await fileStorage(path)
  await t.rejects(fileStorage(path), /already open/)
  await storage.close()
  await writeFile(`${path}.lock`, String(process.ppid))
  await t.rejects(fileStorage(path), new RegExp(`in use by process ${process.ppid}`))
  for (const stale of ['', '4194304', String(process.pid)]) {
    await writeFile(`${path}.lock`, stale)
    await (await fileStorage(path)).close()
  }
  await t.rejects(stat(`${path}.lock`), { code: 'ENOENT' })
})

t.test('file: another file is refused and stays as it is', async (t) => {
  const path = join(t.testdir({ notes: 'my notes\n' }), 'notes')
  await t.rejects(fileStorage(path), /is not the storage of a store/)
  t.equal(await readFile(path, 'utf8'), 'my notes\n')
  await t.rejects(fileStorage(join(t.testdirName, 'none', 'store')), { code: 'ENOENT' })
})
