import { rmSync, truncateSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { examineFiles } from '../../../../../../src/cli/doctor/files.ts'
import { StoreError } from '../../../../../../src/domain/adjuntos/file-store.ts'
import { cleanFiles } from '../../../../../../src/jobs/files/clean.ts'
import { attaching, fileOf, sha256Of } from '../../../../../support/attaching.ts'
import { fileStores, type FileStoreKind } from '../../../../../support/bucket.ts'

const failure = (code: string) => Object.assign(new Error(code), { code })

for (const kind of fileStores) t.test(`bytes that a ${kind} loses or cannot take`, async t => await survivesLoss(t, kind))

async function survivesLoss (t: Test, kind: FileStoreKind): Promise<void> {
  const { app, as, attach, contract, content, director, pathOf: pathOfKey, psql, put, stored } = await attaching(t, {}, kind)
  const { files: { store }, database } = app
  const of = await contract()
  const northern = (await director.get('me/')).json().company as number
  const pathOf = (file: Buffer) => pathOfKey(`${northern}/${sha256Of(file)}`)
  const reserved = async () => (await psql('select * from uploads')).length
  const doctor = async () => (await examineFiles(psql, store)).map(({ outcome }) => outcome)

  await t.test('are stored again by an upload, also beyond the quota', async (t) => {
    const file = fileOf('image/jpeg', 'perdida', 900_000)
    const { id } = await attach(file, { contract: of }) as { id: number }
    t.equal((await put(id, file)).status, 200)
    const { quota } = app.files
    t.teardown(() => { app.files.quota = quota })
    app.files.quota = 1000
    for (const lose of [() => rmSync(pathOf(file)), () => truncateSync(pathOf(file), 10)]) {
      lose()
      t.match(await doctor(), ['failed'])
      for (const headers of [{}, { range: 'bytes=0-3' }, { range: 'bytes=950000-' }]) {
        const answer = await content(id, { headers: headers as Record<string, string> })
        t.equal(answer.status, 410)
        t.strictSame(await answer.json(), {
          detail: 'The server has lost the bytes of this file. Upload the same file again, or ask the operator to restore it.', code: 'file_lost'
        })
      }
      t.equal((await put(id, fileOf('image/jpeg', 'distinta', 900_000))).status, 400)
      const again = await attach(file, { contract: of })
      t.match(again, { estado: 'listo' })
      const healed = await put(again['id'], file)
      t.equal(healed.status, 200)
      t.strictSame(await healed.json(), again, 'the record does not change')
      t.ok(Buffer.from(await (await content(id)).arrayBuffer()).equals(file))
      t.strictSame(await doctor(), ['ok'])
      t.equal(await reserved(), 0)
    }
  })

  await t.test('between a unit and its repetition make no attachment ready', async (t) => {
    const file = fileOf('image/jpeg', 'repetida')
    const { id } = await attach(file, { contract: of }) as { id: number }
    const { add } = store
    t.teardown(() => { store.add = add })
    store.add = async (temporary, key) => {
      await add.call(store, temporary, key)
      await store.remove(key)
      throw failure('40P01')
    }
    const answer = await put(id, file)
    t.equal(answer.status, 503)
    t.match(await answer.json(), { code: 'unavailable' })
    t.match((await director.get(`adjuntos/${id}/`)).json(), { estado: 'pendiente' })
    t.equal(await reserved(), 1, 'the job removes what a commit could have left')
    await psql('delete from uploads')
    store.add = async (temporary, key) => {
      store.add = add
      await add.call(store, temporary, key)
      throw failure('40P01')
    }
    t.equal((await put(id, file)).status, 200, 'a repetition that finds the bytes succeeds')
    t.equal(await reserved(), 0)
  })

  await t.test('leave no reservation and no temporary file', async (t) => {
    const file = fileOf('image/jpeg', 'sin disco')
    const { id } = await attach(file, { contract: of }) as { id: number }
    const { temporary, send, add } = store
    const before = stored()
    const storing = kind === 'folder' ? 'add' : 'send'
    const failing = async (method: 'temporary' | typeof storing, code: string) => {
      store[method] = async () => { throw failure(code) }
      const answer = await put(id, file)
      Object.assign(store, { temporary, send, add })
      t.equal(await reserved(), 0, `${method} ${code}`)
      t.strictSame(stored(), before)
      return [answer.status, (await answer.json() as { code: string }).code, answer.headers.get('retry-after')]
    }
    for (const method of ['temporary', storing] as const) {
      t.strictSame(await failing(method, 'EINVAL'), [500, 'error', null])
      for (const code of ['ENOSPC', 'EROFS', 'EACCES', 'EIO']) t.strictSame(await failing(method, code), [503, 'unavailable', '60'])
    }
    t.equal((await put(id, file)).status, 200)
  })

  await t.test('of one file are no obstacle for the job with the others', async (t) => {
    await psql(`
      insert into stored_files (company_id, sha256, bytes, tipo, unused_since, removing)
      select $1, repeat(h, 64), 1, 'image/jpeg', now() - interval '30 hours', true from unnest($2::text[]) h`, [northern, ['a', 'b', 'c']])
    const { remove } = store
    t.teardown(() => { store.remove = remove })
    store.remove = async (key) => {
      if (key.sha256.startsWith('a')) throw failure('EISDIR')
      await remove.call(store, key)
    }
    await t.rejects(cleanFiles(database, app.files), { code: 'EISDIR' })
    t.strictSame(await psql('select left(sha256, 1) as hash from stored_files where removing'), [{ hash: 'a' }])
    store.remove = remove
    t.match(await cleanFiles(database, app.files), { files: 1 })
  })

  await t.test('of one company are no obstacle for the job in others', async (t) => {
    const other = (await (await as('director@otra.example')).get('me/')).json().company as number
    const [first, second] = [northern, other].sort((a, b) => a - b) as [number, number]
    await psql(`
      insert into stored_files (company_id, sha256, bytes, tipo, unused_since, removing)
      select c, repeat('a', 64), 1, 'image/jpeg', now() - interval '30 hours', true from unnest($1::int[]) c`, [[first, second]])
    const left = async () => (await psql('select company_id as id from stored_files where removing')).map(({ id }) => id)
    const { remove, sweep } = store
    t.teardown(() => { Object.assign(store, { remove, sweep }) })
    store.sweep = async () => { throw failure('EIO') }
    store.remove = async (key) => {
      if (key.company === first) throw failure('EACCES')
      await remove.call(store, key)
    }
    await t.rejects(cleanFiles(database, app.files), { code: 'EIO' }, 'the first error')
    t.strictSame(await left(), [first])
    Object.assign(store, { remove, sweep })
    t.match(await cleanFiles(database, app.files), { files: 1 })
  })

  await t.test('slowly keep the lock of their company for about a second', async (t) => {
    await psql(`
      insert into stored_files (company_id, sha256, bytes, tipo, unused_since, removing)
      select $1, repeat(h, 64), 1, 'image/jpeg', now() - interval '30 hours', true from unnest($2::text[]) h`, [northern, ['a', 'b', 'c', 'd', 'e']])
    const { remove } = store
    t.teardown(() => { store.remove = remove })
    let removals = 0
    store.remove = async (key) => {
      await sleep(600)
      if (++removals >= 4) throw new StoreError('no answer', { status: undefined, isOutage: true, canBeDone: true })
      await remove.call(store, key)
    }
    await t.rejects(cleanFiles(database, app.files), { message: 'no answer' })
    const [{ left }] = await psql('select count(*)::int as left from stored_files where removing') as [{ left: number }]
    t.ok(left < 5, 'earlier removals are committed')
    store.remove = remove
    await cleanFiles(database, app.files)
    t.strictSame(await psql('select sha256 from stored_files where removing'), [])
  })
}
