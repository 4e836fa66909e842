import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { CreateBucketCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3'
import t from 'tap'
import { examineFiles } from '../../../src/cli/doctor/files.ts'
import { StoreError } from '../../../src/domain/adjuntos/file-store.ts'
import { demoPassword } from '../../../src/domain/demo/data.ts'
import { cleanFiles } from '../../../src/jobs/files/clean.ts'
import { megabyte } from '../../support/trial/machine.ts'
import { startServer } from '../../support/trial/server.ts'
import { attaching, described, fileOf, sha256Of } from '../../support/attaching.ts'
import { credentials } from '../../support/bucket.ts'
import { call, tokensOf } from '../../support/over-http.ts'
import { demoPlace } from '../../support/process.ts'
import { until } from '../../support/until.ts'
import { startCeph } from './radosgw.ts'

t.setTimeout(300_000)

/** Bound of the memory in MiB that a server takes for four files of 25 MiB at once. */
const maxMoreMegabytes = 50

// `npm run torture -- --only bucket` runs this file in a process.
t.test('files in a bucket of Ceph', async (t) => {
  Object.assign(process.env, credentials)
  const began = performance.now()
  const ceph = await startCeph()
  t.teardown(async () => await ceph[Symbol.asyncDispose]())
  t.comment(`Ceph has started in ${Math.round(performance.now() - began)} ms`)
  const client = new S3Client({ endpoint: ceph.origin, region: 'us-east-1', forcePathStyle: true })
  await client.send(new CreateBucketCommand({ Bucket: 'obra-files' }))
  t.teardown(() => client.destroy())
  const { app, as, attach, content, contract, director, psql, put } = await attaching(t, { FILES_URL: `s3://obra-files/archivos?endpoint=${ceph.origin}` })
  const { files: { store }, database } = app
  const of = await contract()
  const { company } = (await director.get('me/')).json()
  const doctor = async () => (await examineFiles(psql, store)).map(({ outcome }) => outcome)

  await t.test('are uploaded, and downloaded in whole and in parts', async (t) => {
    const file = fileOf('image/jpeg', 'ceph', 1_000_000)
    const { id } = await attach(file, { contract: of, nombre: 'Losa ñ.jpg' }) as { id: number }
    t.equal((await put(id, file)).status, 200)
    const read = await content(id)
    t.equal(read.status, 200)
    t.equal(new URL(read.url).origin, ceph.origin)
    t.ok(Buffer.from(await read.arrayBuffer()).equals(file))
    t.match(Object.fromEntries(read.headers), {
      'content-type': 'image/jpeg',
      'content-disposition': 'attachment; filename="Losa n.jpg"; filename*=UTF-8\'\'Losa%20%C3%B1.jpg',
      'cache-control': 'private, no-store'
    })
    for (const [range, part] of [['bytes=0-9', file.subarray(0, 10)], ['bytes=-5', file.subarray(-5)], ['bytes=999990-', file.subarray(-10)]] as const) {
      const answer = await content(id, { headers: { range } })
      t.equal(answer.status, 206)
      t.ok(Buffer.from(await answer.arrayBuffer()).equals(part), range)
    }
    t.equal((await content(id, { headers: { range: 'bytes=1000000-' } })).status, 416)
    t.equal((await content(id, { method: 'HEAD' })).headers.get('content-length'), '1000000')
    t.equal((await content(id, { headers: { 'if-none-match': `"${sha256Of(file)}"` } })).status, 304)
    t.strictSame(await doctor(), ['ok'])
  })

  await t.test('have URLs for one object', async (t) => {
    const [file, other] = [fileOf('image/jpeg', 'una'), fileOf('image/jpeg', 'otra')] as [Buffer, Buffer]
    const { id } = await attach(file, { contract: of }) as { id: number }
    t.equal((await put(id, file)).status, 200)
    t.equal((await put((await attach(other, { contract: of }))['id'], other)).status, 200)
    const changes: Array<[change: (url: URL) => void, method?: string]> = [
      [(url) => { url.pathname = url.pathname.replace(sha256Of(file), sha256Of(other)) }],
      [(url) => { url.pathname = '/obra-files/' }],
      [(url) => { url.searchParams.set('response-content-type', 'text/html') }],
      [(url) => { url.searchParams.set('X-Amz-Expires', '600') }],
      [() => {}, 'PUT'],
      [() => {}, 'DELETE']
    ]
    for (const [change, method = 'GET'] of changes) {
      const url = new URL((await content(id, { redirect: 'manual' })).headers.get('location') as string)
      t.equal(url.searchParams.get('X-Amz-Expires'), '60')
      change(url)
      t.equal((await fetch(url, { method })).status, 403, `${method} ${url.pathname}`)
    }
  })

  await t.test('are refused by the service if their bytes are not those of the hash', async (t) => {
    const temporary = await store.temporary()
    await writeFile(temporary, 'other bytes')
    const key = { company, sha256: sha256Of(Buffer.from('bytes')) }
    const error = await store.send(temporary, key).catch((error: unknown) => error)
    t.ok(error instanceof StoreError)
    t.match(error, { status: 400, canBeDone: false, message: /XAmzContentSHA256Mismatch/ })
    t.equal(await store.sizeOf(key), undefined)
  })

  await t.test('of two companies are two objects, and unused ones are removed', async (t) => {
    const file = fileOf('image/jpeg', 'dos empresas')
    const owner = await as('director@otra.example')
    const { id: theirs } = (await owner.post('contracts/', { folio: 'OTRA-1' })).json()
    const [mine, copy] = [await attach(file, { contract: of }), await attach(file, { contract: theirs }, owner)]
    t.match(copy, { estado: 'pendiente' })
    t.equal((await put(mine['id'], file)).status, 200)
    t.equal((await put(copy['id'], file, owner)).status, 200)
    t.equal((await content(mine['id'], {}, owner)).status, 404)
    const objects = async () => (await Array.fromAsync(store.keys())).filter(({ sha256 }) => sha256 === sha256Of(file)).length
    t.equal(await objects(), 2)
    t.equal((await director.send('DELETE', `adjuntos/${mine['id']}/`)).statusCode, 204)
    await psql("update stored_files set unused_since = now() - interval '25 hours' where sha256 = $1 and unused_since is not null", [sha256Of(file)])
    t.match(await cleanFiles(database, app.files), { files: 1 })
    t.equal(await objects(), 1)
    t.strictSame(await doctor(), ['ok'])
  })

  await t.test('can be more than a page of the list', async (t) => {
    const command = (key: string) => new PutObjectCommand({ Bucket: 'obra-files', Key: `archivos/999/${key}`, Body: 'x' })
    const names = Array.from({ length: 1001 }, (_, n) => String(n).padStart(64, '0'))
    for (let start = 0; start < names.length; start += 50) await Promise.all(names.slice(start, start + 50).map(async name => await client.send(command(name))))
    const keys = (await Array.fromAsync(store.keys())).filter(({ company }) => company === 999)
    t.strictSame(keys.map(({ sha256 }) => sha256), names)
    t.match(await doctor(), ['warning'])
    for (const { company, sha256 } of keys) await store.remove({ company, sha256 })
    t.strictSame(await doctor(), ['ok'])
  })

  await t.test('of 25 MiB are sent with constant memory', async (t) => {
    // In a process of its own, without the copies of the client.
    const { dataDir, env } = await demoPlace(t)
    const own = { NODE_ENV: 'development', DATA_DIR: dataDir, FILES_URL: `s3://obra-files/grandes?endpoint=${ceph.origin}` }
    await using server = await startServer('src/server.ts', { ...own, ...env, ...credentials })
    const { access: token } = await tokensOf(server.url, 'director@demo.example', demoPassword)
    const { body: { id: contract } } = await call(server.url, 'POST', 'contracts/', { token, body: { folio: 'GRANDES' } })
    const upload = async () => {
      const file = Buffer.concat([fileOf('image/jpeg', 'grande', 100), randomBytes(25 * megabyte - 100)])
      const { body: { id } } = await call(server.url, 'POST', 'adjuntos/', { token, body: { ...described(file, 'image/jpeg'), contract } })
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/octet-stream' }
      const answer = await fetch(`${server.url}/api/v1/adjuntos/${id}/contenido/`, { method: 'PUT', body: file, headers })
      t.equal(answer.status, 200)
    }
    // The first one loads code.
    await upload()
    const before = server.usage().memory
    let most = before
    const watch = setInterval(() => { most = Math.max(most, server.usage().memory) }, 20)
    t.teardown(() => clearInterval(watch))
    const start = performance.now()
    await Promise.all([upload(), upload(), upload(), upload()])
    const more = Math.round((most - before) / megabyte)
    const took = Math.round(performance.now() - start)
    t.comment(`4 files of 25 MiB at once in ${took} ms; ${more} MiB of memory more, bound ${maxMoreMegabytes} MiB`)
    t.ok(more <= maxMoreMegabytes, `${more} MiB`)
  })

  await t.test('get 503 while the service hangs or is down, and then work again', async (t) => {
    const file = fileOf('image/jpeg', 'caída')
    const { id } = await attach(file, { contract: of }) as { id: number }
    t.equal((await put(id, file)).status, 200)
    ceph.signal('SIGSTOP')
    t.equal((await content(id)).status, 503)
    t.equal((await director.get(`adjuntos/${id}/`)).statusCode, 200)
    ceph.signal('SIGCONT')
    await until(async () => (await content(id)).status === 200)
    ceph.signal('SIGKILL')
    await until(async () => (await content(id)).status === 503)
    t.match(await doctor(), ['failed'])
  })
})
