import { constants } from 'node:buffer'
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { appendFile, mkdir, open, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import t from 'tap'
import type { Test } from 'tap'
import { fileStorage } from 'obra/client/sync/file'
import { list, write } from './entries.ts'

/** Opens the file in another process, which writes when it gets a message. */
async function holding (t: Test, path: string): Promise<ChildProcess> {
  const holder = spawn(process.execPath, ['--input-type=module', '-e', `
    import { fileStorage } from 'obra/client/sync/file'
    const storage = await fileStorage(process.argv[1])
    console.log('open')
    process.on('message', async () => {
      await storage.transaction('write', async ({ write }) => await write([['a', 2]])).then(() => process.send('written'), error => process.send(error.message))
      await storage.close()
      process.exit()
    })`, path], { stdio: ['ignore', 'pipe', 'inherit', 'ipc'] })
  t.teardown(() => holder.kill('SIGKILL'))
  await once(holder.stdout as Readable, 'data')
  return holder
}

t.test('keeps its entries over a restart, and over a crash while it writes', async (t) => {
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

t.test('keeps bytes over a restart, and when it is rewritten', async (t) => {
  const path = join(t.testdir(), 'store')
  const bytes = Uint8Array.from({ length: 100_000 }, (_, index) => index)
  const first = await fileStorage(path)
  await write(first, ['bytes', bytes], ['text', 'ñ'])
  for (let index = 0; index < 30; index++) await write(first, ['other', bytes.map(byte => byte + index)])
  t.ok((await stat(path)).size < 2_000_000)
  await first.close()
  const second = await fileStorage(path)
  t.strictSame(await list(second), [['bytes', bytes], ['other', bytes.map(byte => byte + 29)], ['text', 'ñ']])
  await second.close()
})

t.test('is rewritten when most of it is out of date', async (t) => {
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

t.test('can be longer than a string, and is rewritten in short lines', async (t) => {
  const path = join(t.testdir(), 'store')
  const keys = Array.from({ length: 8 }, (_, index) => `long ${index}`)
  const lines = keys.map(key => `${JSON.stringify([[key, 'x'.repeat(8 * 2 ** 20)]])}\n`).join('')
  const file = await open(path, 'w')
  await file.writeFile('{"format":"obra-store","version":1}\n')
  while ((await file.stat()).size <= constants.MAX_STRING_LENGTH) await file.writeFile(lines)
  await file.writeFile(`${JSON.stringify(keys.map(key => [key]))}\n`)
  await file.close()
  const storage = await fileStorage(path)
  t.strictSame(await list(storage), [])
  const entries = Array.from({ length: 1000 }, (_, index) => [`short ${index}`, 'ñ'.repeat(1000)] as [string, string])
  await write(storage, ...entries)
  await write(storage, ['last', 1])
  await storage.close()
  const rewritten = (await readFile(path, 'utf8')).split('\n')
  t.ok(rewritten.length > 5)
  const again = await fileStorage(path)
  t.equal((await list(again, 'short')).length, 1000)
  await again.close()
})

t.test('is rewritten by a process that writes little, if earlier ones wrote much', async (t) => {
  const path = join(t.testdir(), 'store')
  for (let run = 0; run < 8; run++) {
    const storage = await fileStorage(path)
    for (let index = 0; index < 4; index++) await write(storage, ['a', `${run} ${index} ${'x'.repeat(100_000)}`])
    await storage.close()
  }
  t.ok((await stat(path)).size < 2_000_000)
})

t.test('a failed rewrite does not prevent writes', async (t) => {
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

t.test('a transaction that has begun ends before the file closes, later ones fail', async (t) => {
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

t.test('one process has it open', async (t) => {
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

t.test('the mark of a process that has ended does not count, even if another program has its number', async (t) => {
  const path = join(t.testdir(), 'store')
  await writeFile(`${path}.lock`, `${process.ppid} ended`)
  const storage = await fileStorage(path)
  await write(storage, ['a', 1])
  await storage.close()
  t.strictSame((await readdir(dirname(path))).sort(), ['store'])
})

t.test('a process that has the file open shows signs of life; one that showed none writes nothing more', async (t) => {
  const path = join(t.testdir(), 'store')
  const holder = await holding(t, path)
  await t.rejects(fileStorage(path), new RegExp(`in use by process ${holder.pid}\\. .* delete`))
  holder.kill('SIGSTOP')
  const storage = await fileStorage(path)
  await write(storage, ['a', 1])
  holder.kill('SIGCONT')
  holder.send('write')
  t.match(await once(holder, 'message'), [/taken over by another process/])
  await once(holder, 'exit')
  await write(storage, ['b', 1])
  await storage.close()
  const again = await fileStorage(path)
  t.strictSame(await list(again), [['a', 1], ['b', 1]])
  await again.close()
})

t.test('a process in another container, whose number means nothing here, keeps the file while it shows signs of life', async (t) => {
  const path = join(t.testdir(), 'store')
  const holder = await holding(t, path)
  await writeFile(`${path}.lock`, '4194304 other')
  await t.rejects(fileStorage(path), /is in use/)
  holder.kill('SIGKILL')
  await once(holder, 'exit')
  await (await fileStorage(path)).close()
})

t.test('another file is refused and stays as it is', async (t) => {
  const path = join(t.testdir({ notes: 'my notes\n' }), 'notes')
  await t.rejects(fileStorage(path), /is not the storage of a store/)
  t.equal(await readFile(path, 'utf8'), 'my notes\n')
  await t.rejects(fileStorage(join(t.testdirName, 'none', 'store')), { code: 'ENOENT' })
})
