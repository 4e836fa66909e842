import { request as httpRequest, type ClientRequest } from 'node:http'
import t, { type Test } from 'tap'
import { cleanFiles } from '../../../../../../src/jobs/files/clean.ts'
import { attaching, fileOf, sha256Of, type Attaching } from '../../../../../support/attaching.ts'
import { fileStores, type FileStoreKind } from '../../../../../support/bucket.ts'
import { until } from '../../../../../support/until.ts'

/** Begins an upload, which sends the first bytes. */
function begun ({ origin, director }: Attaching, id: number, file: Buffer, client = director, sent = 50): { upload: ClientRequest, answer: Promise<number | undefined> } {
  const headers = { authorization: `Bearer ${client.access}`, 'content-type': 'image/jpeg', 'content-length': file.length }
  const upload = httpRequest(`${origin}/api/v1/adjuntos/${id}/contenido/`, { method: 'PUT', headers, agent: false })
  const answer = new Promise<number | undefined>((resolve) => {
    upload.on('response', (response) => { response.resume().on('end', () => resolve(response.statusCode)) }).on('error', () => resolve(undefined))
  })
  upload.write(file.subarray(0, sent))
  return { upload, answer }
}

for (const kind of fileStores) t.test(`running uploads to a ${kind}`, async t => await runsUploads(t, kind))

async function runsUploads (t: Test, kind: FileStoreKind): Promise<void> {
  const server = await attaching(t, { FILES_QUOTA_MB: 1 }, kind)
  const { app, as, attach, contract, content, director, psql, put, stored } = server
  const of = await contract()
  const reserved = async () => (await psql('select * from uploads')).length
  /** Runs the job two hours later: it removes what a refused upload has sent to a bucket. */
  const settle = async () => {
    if (kind === 'folder') return
    await psql("update uploads set begun_at = begun_at - interval '2 hours'")
    await cleanFiles(app.database, app.files)
  }
  let files = 0
  const next = (bytes = 200) => fileOf('image/jpeg', `carga ${++files}`, bytes)
  const made = async (file: Buffer) => (await attach(file, { contract: of }))['id'] as number

  await t.test('that the client gives up leave nothing', async (t) => {
    const file = next()
    const id = await made(file)
    const { upload, answer } = begun(server, id, file)
    await until(async () => await reserved() === 1 && stored().length === 1)
    upload.destroy()
    t.equal(await answer, undefined)
    await until(async () => await reserved() === 0 && stored().length === 0)
    t.match((await director.get(`adjuntos/${id}/`)).json(), { estado: 'pendiente' })
  })

  await t.test('that are too slow are ended', async (t) => {
    const { requestTimeout } = app.server
    app.server.requestTimeout = 1500
    t.teardown(() => { app.server.requestTimeout = requestTimeout })
    const file = next()
    const { answer } = begun(server, await made(file), file)
    t.equal(await answer, 408)
    await until(async () => await reserved() === 0 && stored().length === 0)
  })

  await t.test('hold neither a connection of the database nor a lock', async (t) => {
    const uploads = []
    for (let n = 0; n < 4; n++) {
      const file = next()
      uploads.push({ file, ...begun(server, await made(file), file) })
    }
    await until(async () => stored().length === 4)
    t.equal((await director.send('PATCH', `contracts/${of}/`, { descripcion: 'Durante la carga' })).statusCode, 200)
    const file = next()
    const id = await made(file)
    const fifth = await put(id, file)
    t.equal(fifth.status, 503, 'a user has at most four, and a further one does not wait for long')
    t.equal(fifth.headers.get('retry-after'), '5')
    t.match(await fifth.json(), { code: 'unavailable' })
    t.equal((await put(id, file, await as('coordinador@demo.example'))).status, 200, 'others of the customer have their own')
    for (const { upload, file } of uploads) upload.end(file.subarray(50))
    t.strictSame(await Promise.all(uploads.map(({ answer }) => answer)), [200, 200, 200, 200])
    t.equal(await reserved(), 0)
    t.equal((await put(id, file)).status, 200)
  })

  await t.test('of the same bytes at once all succeed', async (t) => {
    const file = next()
    const ids = [await made(file), await made(file), await made(file)]
    const uploads = ids.map(id => begun(server, id, file))
    await until(async () => await reserved() === 3)
    for (const { upload } of uploads) upload.end(file.subarray(50))
    t.strictSame(await Promise.all(uploads.map(({ answer }) => answer)), [200, 200, 200])
    t.equal(stored().filter(path => path.endsWith(sha256Of(file))).length, 1)
    t.equal(await reserved(), 0)
    for (const id of ids) t.match((await director.get(`adjuntos/${id}/`)).json(), { estado: 'listo', version: 2 })
  })

  await t.test('whose attachment is deleted meanwhile store nothing', async (t) => {
    const file = next()
    const before = stored()
    const id = await made(file)
    const { upload, answer } = begun(server, id, file)
    await until(async () => await reserved() === 1)
    t.equal((await director.send('DELETE', `adjuntos/${id}/`)).statusCode, 204)
    upload.end(file.subarray(50))
    t.equal(await answer, 404)
    await settle()
    t.strictSame(stored(), before)
    t.equal(await reserved(), 0)
  })

  await t.test('that have lost their reservation store nothing', async (t) => {
    const file = next()
    const before = stored()
    const id = await made(file)
    const { upload, answer } = begun(server, id, file)
    await until(async () => await reserved() === 1)
    await psql('delete from uploads')
    upload.end(file.subarray(50))
    t.equal(await answer, 503)
    await settle()
    t.strictSame(stored(), before)
  })

  await t.test('of a caller who loses the level meanwhile store nothing', async (t) => {
    const file = next()
    const before = stored()
    const id = await made(file)
    const writer = await as('coordinador@demo.example')
    const { upload, answer } = begun(server, id, file, writer)
    await until(async () => await reserved() === 1)
    await psql("update memberships set nivel_acceso = 1 where user_id = (select id from users where email = 'coordinador@demo.example')")
    upload.end(file.subarray(50))
    t.equal(await answer, 403)
    await settle()
    t.strictSame(stored(), before)
    t.equal(await reserved(), 0)
  })

  await t.test('reserve their bytes: the quota of a company is never exceeded', async (t) => {
    const half = next(500_000)
    const first = await made(half)
    const { upload, answer } = begun(server, first, half)
    await until(async () => await psql('select * from uploads where bytes = 500000').then(rows => rows.length === 1))
    const large = next(600_000)
    const refused = await put(await made(large), large)
    t.equal(refused.status, 413)
    t.strictSame(await refused.json(), { detail: 'The files of your company would have more than 1 MB.', code: 'quota_exceeded' })
    upload.end(half.subarray(50))
    t.equal(await answer, 200)
    t.equal((await put(await made(large), large)).status, 413)
    const owner = await as('director@otra.example')
    const { id: theirs } = (await owner.post('contracts/', { folio: 'OTRA-1' })).json()
    const copy = await attach(large, { contract: theirs }, owner)
    t.equal((await put(copy['id'], large, owner)).status, 200, 'another company has its own quota')
    t.equal((await content(first)).status, 200)

    const { json } = await director.post('adjuntos/', { contract: of, nombre: 'x', tipo: 'image/jpeg', bytes: 600_000, sha256: sha256Of(half) })
    t.equal((await put(json().id, large)).status, 413, 'another size has to be reserved')
    t.equal((await director.send('DELETE', `adjuntos/${first}/`)).statusCode, 204)
    await psql('update stored_files set removing = true where sha256 = $1', [sha256Of(half)])
    t.equal((await put(await made(half), half)).status, 200, 'bytes that are removed count once')
  })
}
