import { existsSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { runInNewContext } from 'node:vm'
import t from 'tap'
import { cleanFiles } from '../../../../../../src/jobs/files/clean.ts'
import { attaching, fileOf, sha256Of } from '../../../../../support/attaching.ts'
import type { Client } from '../../../../../support/helper.ts'
import { root } from '../../../../../support/process.ts'
import { beginPart, partHeaders, sendByTus } from '../../../../../support/tus.ts'
import { until } from '../../../../../support/until.ts'

t.test('resumable uploads', async (t) => {
  const server = await attaching(t, { FILES_QUOTA_MB: 20 })
  const { app, as, attach, contract, content, director, folder, origin, psql, put, stored } = server
  const of = await contract()
  // Ids beyond the largest `int`.
  await psql("select setval('adjuntos_id_seq', 2147483647)")
  let files = 0
  const next = (bytes = 1000) => fileOf('image/jpeg', `por partes ${++files}`, bytes)
  const made = async (file: Buffer) => (await attach(file, { contract: of }))['id'] as number
  const target = (id: number, client = director) => ({ url: `${origin}/api/v1/adjuntos/${id}/contenido/`, token: client.access })
  const head = async (id: number, client?: Client) => await content(id, { method: 'HEAD', headers: { 'tus-resumable': '1.0.0' } }, client)
  const offset = async (id: number) => Number((await head(id)).headers.get('upload-offset'))
  const patch = async (id: number, part: Buffer, at: number, headers: Record<string, string> = {}, client?: Client) =>
    await content(id, { method: 'PATCH', body: new Uint8Array(part), headers: { ...partHeaders(at), ...headers } }, client)
  const state = async (id: number) => (await director.get(`adjuntos/${id}/`)).json().estado as string
  const rows = async () => await psql('select id, adjunto_id, bytes from uploads where adjunto_id is not null')
  const partials = () => stored().filter(path => path.endsWith('.part'))
  const bytesOf = async (id: number) => Buffer.from(await (await content(id)).arrayBuffer())

  await t.test('by tus-js-client, whole or in parts, end with the file', async (t) => {
    for (const [chunkSize, expected] of [[undefined, [0]], [400_000, [0, 400_000, 800_000]]] as const) {
      const file = next(1_000_000)
      const id = await made(file)
      t.strictSame(await sendByTus(target(id), file, chunkSize), { offsets: expected })
      t.equal(await state(id), 'listo')
      t.ok((await bytesOf(id)).equals(file))
      t.strictSame(await sendByTus(target(id), file), { offsets: [] }, 'a repetition finds that nothing is missing')
    }
    t.strictSame([await rows(), partials()], [[], []])
  })

  await t.test('answer how far they are', async (t) => {
    const file = next()
    const id = await made(file)
    const empty = await head(id)
    t.equal(empty.status, 200)
    t.match(Object.fromEntries(empty.headers), { 'tus-resumable': '1.0.0', 'upload-offset': '0', 'upload-length': '1000', 'cache-control': 'no-store' })
    t.equal(empty.headers.get('upload-expires'), null)
    const before = Date.now()
    const first = await patch(id, file.subarray(0, 300), 0)
    t.equal(first.status, 204)
    t.match(Object.fromEntries(first.headers), { 'tus-resumable': '1.0.0', 'upload-offset': '300', 'cache-control': 'no-store' })
    const expires = Date.parse(first.headers.get('upload-expires') as string)
    t.ok(Math.abs(expires - before - 7 * 86_400_000) < 60_000, 'a week after the last byte')
    const begun = await head(id)
    t.match(Object.fromEntries(begun.headers), { 'upload-offset': '300', 'upload-expires': /GMT$/ })
    t.equal((await content(id)).status, 409, 'the download waits')
    t.equal((await content(id, { method: 'HEAD' })).status, 409, 'and so does its HEAD')
    const last = await patch(id, file.subarray(300), 300)
    t.equal(last.status, 204)
    t.match(Object.fromEntries(last.headers), { 'upload-offset': '1000' })
    t.equal(last.headers.get('upload-expires'), null)
    t.equal(await offset(id), 1000)
    t.equal((await content(id, { method: 'HEAD' })).headers.get('upload-offset'), null, 'without the header, HEAD is that of the download')
    t.equal((await patch(id, Buffer.alloc(0), 1000)).status, 204, 'an empty part at the end changes nothing')
    t.equal((await patch(id, file.subarray(0, 300), 0)).status, 409)
    t.equal((await patch(id, file, 0)).status, 204, 'so does the whole file')
    const other = await patch(id, Buffer.from(file).fill('x', 500), 0)
    t.equal(other.status, 409)
    t.match(await other.json(), { code: 'conflict', detail: 'The server needs the bytes from offset 1000 on.' })
    t.match((await director.get(`adjuntos/${id}/`)).json(), { estado: 'listo', version: 2 })
  })

  await t.test('ten at once arrive with the options of the guide', async (t) => {
    const guide = readFileSync(join(root, 'docs/guides/send-photos.md'), 'utf8')
    const optionOf = (name: string) => runInNewContext(new RegExp(`^  ${name}: (.*),$`, 'm').exec(guide)?.[1] as string)
    const photos = await Promise.all(Array.from({ length: 10 }, async () => {
      const file = next(1_200_000)
      return { file, id: await made(file) }
    }))
    const sent = await Promise.all(photos.map(async ({ file, id }) =>
      await sendByTus(target(id), file, optionOf('chunkSize'), { retryDelays: [...optionOf('retryDelays')] })))
    t.strictSame(sent, photos.map(() => ({ offsets: [0, 524_288, 1_048_576] })))
    for (const { id } of photos) t.equal(await state(id), 'listo')
    await psql("delete from adjuntos where nombre = 'archivo'")
    await psql('delete from stored_files')
  })

  await t.test('take PATCH as POST from clients that cannot send it', async (t) => {
    const file = next()
    const id = await made(file)
    const override = async (headers: Record<string, string>) =>
      await content(id, { method: 'POST', body: new Uint8Array(file), headers: { ...partHeaders(0), 'x-http-method-override': 'PATCH', ...headers } })
    t.equal((await override({ 'tus-resumable': '0.2.2' })).status, 412)
    const answer = await override({})
    t.equal(answer.status, 204)
    t.equal(answer.headers.get('upload-offset'), '1000')
    t.equal(await state(id), 'listo')
    t.equal((await fetch(`${origin}/api/v1/contracts/${of}/`, {
      method: 'POST', body: '{}', headers: { 'content-type': 'application/json', 'x-http-method-override': 'PATCH', authorization: `Bearer ${director.access}` }
    })).status, 405, 'other requests keep their method')
  })

  await t.test('begin with a creation at the same address, if the client needs one', async (t) => {
    const file = next()
    const id = await made(file)
    const create = async (headers: Record<string, string>) => await content(id, { method: 'POST', headers: { 'tus-resumable': '1.0.0', ...headers } })
    const created = await create({ 'upload-length': '1000', 'upload-metadata': 'filename bG9zYS5qcGc=' })
    t.equal(created.status, 201)
    t.match(Object.fromEntries(created.headers), { location: `${origin}/api/v1/adjuntos/${id}/contenido/`, 'tus-resumable': '1.0.0' })
    const { url, token } = target(id)
    t.strictSame(await sendByTus({ url: '', token }, file, 600, { endpoint: url, uploadUrl: null }), { offsets: [0, 600] })
    t.equal(await state(id), 'listo')
    const other = await create({ 'upload-length': '999' })
    t.equal(other.status, 400)
    t.match(await other.json(), { codes: { bytes: ['wrong_size'] } })
    t.match(await (await create({})).json(), { codes: { 'Upload-Length': ['required'] } })
    t.equal((await create({ 'upload-length': '1000', 'tus-resumable': '0.2.2' })).status, 412)
  })

  await t.test('keep what arrived before the connection was lost', async (t) => {
    const file = next(3_000_000)
    const id = await made(file)
    const { request, answer } = beginPart(target(id), file, 2_000_000)
    await until(async () => await offset(id) === 2_000_000)
    request.destroy()
    t.equal(await answer, undefined)
    await until(async () => await offset(id) === 2_000_000)
    t.strictSame(await sendByTus(target(id), file), { offsets: [2_000_000] })
    t.ok((await bytesOf(id)).equals(file))
    t.strictSame([await rows(), partials()], [[], []])
  })

  await t.test('keep what arrived before the time limit of requests', async (t) => {
    const { requestTimeout } = app.server
    app.server.requestTimeout = 1500
    t.teardown(() => { app.server.requestTimeout = requestTimeout })
    const file = next()
    const id = await made(file)
    const { answer } = beginPart(target(id), file, 600)
    t.equal(await answer, 503, 'clients of tus give up after 408')
    app.server.requestTimeout = requestTimeout
    t.equal(await offset(id), 600)
    t.equal((await patch(id, file.subarray(600), 600)).status, 204)
    t.ok((await bytesOf(id)).equals(file))
  })

  await t.test('keep what was written before the disk was full', async (t) => {
    const file = next(2_000_000)
    const id = await made(file)
    const any = await open(import.meta.filename)
    const prototype = Object.getPrototypeOf(any) as any
    await any.close()
    const { write } = prototype
    t.teardown(() => { prototype.write = write })
    let written = 0
    prototype.write = async function (...args: [Buffer, number, number, number]) {
      if ((written += args[2]) > 1_000_000) throw Object.assign(new Error('full'), { code: 'ENOSPC' })
      return await write.apply(this, args)
    }
    const answer = await patch(id, file.subarray(0, 1_900_000), 0)
    t.equal(answer.status, 503)
    t.equal(answer.headers.get('retry-after'), '60')
    prototype.write = write
    const at = await offset(id)
    t.ok(at > 0 && at <= 1_000_000, String(at))
    t.strictSame(await sendByTus(target(id), file), { offsets: [at] })
    t.ok((await bytesOf(id)).equals(file))
  })

  await t.test('refuse requests that are not those of tus', async (t) => {
    const file = next()
    const id = await made(file)
    t.equal((await patch(id, file.subarray(0, 300), 0)).status, 204)
    const wrong = await patch(id, file.subarray(200), 200)
    t.equal(wrong.status, 409)
    t.equal(wrong.headers.get('tus-resumable'), '1.0.0')
    t.strictSame(await wrong.json(), { detail: 'The server needs the bytes from offset 300 on.', code: 'conflict' })
    t.equal((await patch(id, file.subarray(301), 301)).status, 409)
    for (const version of ['0.2.2', '']) {
      const answer = await patch(id, file.subarray(300), 300, { 'tus-resumable': version })
      t.equal(answer.status, 412, version)
      t.equal(answer.headers.get('tus-version'), '1.0.0')
      t.match(await answer.json(), { detail: /version 1\.0\.0 of tus/, code: 'precondition_failed' })
    }
    t.equal((await content(id, { method: 'HEAD', headers: { 'tus-resumable': '2.0.0' } })).status, 412)
    const stranger = await patch(id, file.subarray(300), 300, { authorization: 'Bearer x' })
    t.strictSame([stranger.status, stranger.headers.get('tus-resumable')], [401, '1.0.0'], 'also before the handler')
    t.equal((await patch(id, file.subarray(300), 300, { 'content-type': 'image/jpeg' })).status, 415)
    t.equal((await patch(id, file.subarray(300), 300, { 'content-encoding': 'gzip' })).status, 415)
    t.equal((await patch(id, file.subarray(300), 300, { 'if-match': '"1.1.0.x.1.0"' })).status, 412)
    for (const value of ['-1', '3e2', 'x', '']) {
      const answer = await patch(id, file.subarray(300), 300, { 'upload-offset': value })
      t.equal(answer.status, 400, value)
      t.match(await answer.json(), { codes: { 'Upload-Offset': ['invalid'] } })
    }
    const more = await patch(id, Buffer.concat([file.subarray(300), file]), 300)
    t.equal(more.status, 400)
    t.match(await more.json(), { errors: { bytes: ['The file has 2000 bytes, but the attachment says 1000.'] }, codes: { bytes: ['wrong_size'] } })
    t.equal(await offset(id), 300, 'nothing of them is kept')
    t.equal((await patch(id, file.subarray(300), 300)).status, 204)
    t.ok((await bytesOf(id)).equals(file))
  })

  await t.test('of unknown length keep no byte beyond the size', async (t) => {
    const file = next()
    const id = await made(file)
    const body = new ReadableStream({
      start (controller) {
        for (const part of [file.subarray(0, 500), file.subarray(500), Buffer.from('more')]) controller.enqueue(new Uint8Array(part))
        controller.close()
      }
    })
    const answer = await content(id, { method: 'PATCH', body, headers: partHeaders(0), duplex: 'half' } as RequestInit)
    t.equal(answer.status, 400)
    t.match(await answer.json(), { codes: { bytes: ['wrong_size'] } })
    t.equal(statSync(join(folder, partials()[0] as string)).size, 1000)
    t.equal(await state(id), 'pendiente')
    t.strictSame(await sendByTus(target(id), file), { offsets: [999] })
    t.ok((await bytesOf(id)).equals(file))
  })

  await t.test('of another file begin again', async (t) => {
    const file = next()
    const id = await made(file)
    const other = next()
    const { offsets, error } = await sendByTus(target(id), other, 600)
    t.strictSame(offsets, [0, 600])
    t.match(error, { status: 400, body: { errors: { sha256: [`The SHA-256 hash of the file is ${sha256Of(other)}.`] }, codes: { sha256: ['wrong_hash'] } } })
    t.equal(await offset(id), 0)
    t.equal(await state(id), 'pendiente')
    t.strictSame([await rows(), partials()], [[], []])
    t.strictSame(await sendByTus(target(id), file, 600), { offsets: [0, 600] })
    t.ok((await bytesOf(id)).equals(file))

    const page = Buffer.from(`<!DOCTYPE html><html>${' '.repeat(500)}</html>`)
    const { id: photo } = await attach(page, { contract: of, tipo: 'image/jpeg' }) as { id: number }
    t.match((await sendByTus(target(photo), page)).error, { status: 400, body: { codes: { tipo: ['wrong_type'] } } })
    t.equal(await offset(photo), 0)
  })

  await t.test('whose process was killed after the last byte are completed by it', async (t) => {
    const file = next()
    const id = await made(file)
    t.equal((await patch(id, file.subarray(0, 400), 0)).status, 204)
    const [{ id: upload } = {}] = await rows()
    writeFileSync(join(folder, 'incoming', `${upload}.part`), file)
    t.equal(await offset(id), 999)
    t.strictSame(await sendByTus(target(id), file), { offsets: [999] })
    t.ok((await bytesOf(id)).equals(file))

    const again = next()
    const second = await made(again)
    t.equal((await patch(second, again.subarray(0, 400), 0)).status, 204)
    const [{ id: other } = {}] = await rows()
    writeFileSync(join(folder, 'incoming', `${other}.part`), again)
    t.equal((await patch(second, Buffer.alloc(0), 1000)).status, 204, 'or by an empty part')
    t.ok((await bytesOf(second)).equals(again))
  })

  await t.test('that lost their bytes begin again', async (t) => {
    const file = next()
    const id = await made(file)
    t.equal((await patch(id, file.subarray(0, 400), 0)).status, 204)
    const [{ id: upload } = {}] = await rows()
    await app.files.partials.remove(upload)
    t.equal(await offset(id), 0)
    t.equal((await patch(id, file.subarray(400), 400)).status, 409)
    t.strictSame(await sendByTus(target(id), file), { offsets: [0] })

    await app.files.store.remove({ company: (await director.get('me/')).json().company, sha256: sha256Of(file) })
    t.equal(await state(id), 'listo')
    t.equal(await offset(id), 0, 'a complete file that the server has lost is sent again')
    t.strictSame(await sendByTus(target(id), file, 600), { offsets: [0, 600] })
    t.ok((await bytesOf(id)).equals(file))
  })

  await t.test('end with the file even if another upload is faster', async (t) => {
    const file = next()
    const id = await made(file)
    const { request, answer } = beginPart(target(id), file, 500)
    await until(async () => await offset(id) === 500)
    t.equal((await put(id, file)).status, 200)
    request.end(file.subarray(500))
    t.equal(await answer, 204)
    t.match((await director.get(`adjuntos/${id}/`)).json(), { estado: 'listo', version: 2 })

    const second = next()
    const twice = await made(second)
    const slow = beginPart(target(twice), second, 500)
    await until(async () => await offset(twice) === 500)
    t.strictSame(await sendByTus(target(twice), second), { offsets: [500] }, 'a new connection goes on where a dead one hangs')
    slow.request.end(second.subarray(500))
    t.ok([204, 409].includes(await slow.answer as number))
    t.ok((await bytesOf(twice)).equals(second))
    await until(async () => (await rows()).length === 0 && partials().length === 0)
  })

  await t.test('expire a week after their last byte', async (t) => {
    const [file, young] = [next(), next()]
    const [id, kept] = [await made(file), await made(young)]
    for (const [one, bytes] of [[id, file], [kept, young]] as const) t.equal((await patch(one, bytes.subarray(0, 400), 0)).status, 204)
    const age = async (one: number, days: number) => await psql(`update uploads set active_at = now() - interval '${days} days' where adjunto_id = $1`, [one])
    await age(id, 7)
    await age(kept, 6)
    t.match(await cleanFiles(app.database, app.files), { uploads: 1 })
    t.match(await rows(), [{ adjunto_id: kept }])
    t.equal(partials().length, 1)
    t.equal(await offset(id), 0)
    t.equal((await patch(kept, young.subarray(400, 600), 400)).status, 204)
    t.strictSame(await psql("select id from uploads where active_at < now() - interval '1 hour'"), [], 'each part moves it')
    await put(kept, young)
    t.match(await cleanFiles(app.database, app.files), { uploads: 0 })
    await psql("update uploads set active_at = now() - interval '2 hours'")
    t.match(await cleanFiles(app.database, app.files), { uploads: 1 }, 'a PUT of the file makes them useless')
    t.strictSame(partials(), [])

    const slow = next()
    const [{ id: late }] = await psql(`
      insert into adjuntos (company_id, contract_id, nombre, tipo, bytes, sha256, created_at)
      select company_id, id, 'lenta', 'image/jpeg', 1000, $2, now() - interval '31 days' from contracts where id = $1 returning id`, [of, sha256Of(slow)]) as [{ id: number }]
    t.equal((await patch(late, slow.subarray(0, 400), 0)).status, 204)
    t.match(await cleanFiles(app.database, app.files), { records: 0 }, 'an attachment waits for its upload')
    await age(late, 7)
    t.match(await cleanFiles(app.database, app.files), { uploads: 1, records: 1 })

    const left = join(folder, 'incoming', '00000000-0000-4000-8000-000000000000.part')
    writeFileSync(left, 'x')
    const days = (count: number) => utimesSync(left, 0, Date.now() / 1000 - count * 86_400)
    days(7)
    await cleanFiles(app.database, app.files)
    t.ok(existsSync(left))
    days(9)
    await cleanFiles(app.database, app.files)
    t.notOk(existsSync(left), 'bytes without a row are removed when no row can lead to them')
  })

  await t.test('of a deleted attachment are removed', async (t) => {
    const left = async () => await psql('select id from uploads')
    const later = async () => await psql("update uploads set begun_at = begun_at - interval '61 minutes', active_at = active_at - interval '61 minutes'")
    const file = next()
    const id = await made(file)
    t.equal((await patch(id, file.subarray(0, 400), 0)).status, 204)
    const { request, answer } = beginPart(target(id), file.subarray(400), 100, 400)
    await until(async () => await offset(id) === 500)
    t.equal((await director.send('DELETE', `adjuntos/${id}/`)).statusCode, 204)
    t.equal((await head(id)).status, 404)
    request.end(file.subarray(500))
    t.equal(await answer, 404)
    t.strictSame([await left(), partials()], [[], []], 'at the last byte')

    const second = await made(next())
    t.equal((await patch(second, next().subarray(0, 400), 0)).status, 204)
    t.equal((await director.send('DELETE', `adjuntos/${second}/`)).statusCode, 204)
    t.match(await cleanFiles(app.database, app.files), { uploads: 0 }, 'a request could still bring the last byte')
    await later()
    t.match(await cleanFiles(app.database, app.files), { uploads: 1 })
    t.strictSame([await left(), partials()], [[], []], 'by the job')

    const third = await made(next())
    const running = beginPart(target(third), next(), 100)
    await until(async () => await offset(third) === 100)
    t.equal((await director.send('DELETE', `adjuntos/${third}/`)).statusCode, 204)
    await later()
    t.match(await cleanFiles(app.database, app.files), { uploads: 1 })
    running.request.destroy()
    await running.answer
    await until(() => partials().length === 0)
  })

  await t.test('belong to a company and need the right to write', async (t) => {
    const file = next()
    const id = await made(file)
    t.equal((await patch(id, file.subarray(0, 400), 0)).status, 204)
    const foreign = await as('director@otra.example')
    t.equal((await head(id, foreign)).status, 404)
    t.equal((await patch(id, file.subarray(400), 400, {}, foreign)).status, 404)
    const reader = await as('auxiliar@demo.example')
    t.equal((await head(id, reader)).headers.get('upload-offset'), '400')
    const denied = await patch(id, file.subarray(400), 400, {}, reader)
    t.equal(denied.status, 403)
    t.match(await denied.json(), { code: 'permission_denied' })
    t.equal((await fetch(target(id).url, { method: 'HEAD', headers: { 'tus-resumable': '1.0.0' } })).status, 401)

    const coordinator = await as('coordinador@demo.example')
    const { request, answer } = beginPart(target(id, coordinator), file.subarray(400), 100, 400)
    await until(async () => await offset(id) === 500)
    await psql("update memberships set nivel_acceso = 1 where user_id = (select id from users where email = 'coordinador@demo.example')")
    request.end(file.subarray(500))
    t.equal(await answer, 403, 'also at the last byte')
    t.equal(await state(id), 'pendiente')
    t.strictSame(await sendByTus(target(id), file), { offsets: [999] }, 'their bytes are kept for others of the company')
  })

  await t.test('count as uploads of the user', async (t) => {
    const running = []
    for (let n = 0; n < 4; n++) {
      const file = next()
      const id = await made(file)
      running.push({ id, file, ...beginPart(target(id), file, 50) })
      await until(async () => await offset(id) === 50)
    }
    const file = next()
    const id = await made(file)
    const fifth = await patch(id, file, 0)
    t.equal(fifth.status, 503, 'after a wait, and clients of tus repeat it')
    t.match(await fifth.json(), { code: 'unavailable', detail: /too many uploads open/ })
    t.equal(fifth.headers.get('retry-after'), '5')
    t.equal(await offset(id), 0, 'HEAD does not count')
    t.equal((await director.send('PATCH', `contracts/${of}/`, { descripcion: 'Durante la carga' })).statusCode, 200, 'they hold no lock')
    for (const { request, file } of running) request.end(file.subarray(50))
    t.strictSame(await Promise.all(running.map(({ answer }) => answer)), [204, 204, 204, 204])
    t.equal((await patch(id, file, 0)).status, 204)
  })

  await t.test('of a company are read again one after the other', async (t) => {
    const uploads = await Promise.all([1, 2, 3].map(async () => {
      const file = next()
      return { file, id: await made(file) }
    }))
    const { partials: store } = app.files
    const read = store.read.bind(store)
    const append = store.append.bind(store)
    let [active, most, arrived] = [0, 0, 0]
    Object.assign(store, {
      append: async (...part: Parameters<typeof append>) => {
        const size = await append(...part)
        arrived++
        return size
      },
      read: async function * (id: string) {
        most = Math.max(most, ++active)
        // Until all bytes have arrived, and the server has had time to go on.
        await until(() => arrived === uploads.length)
        for (const { id } of uploads) await head(id)
        yield * read(id)
        active--
      }
    })
    t.teardown(() => Object.assign(store, { append, read }))
    const answers = await Promise.all(uploads.map(async ({ file, id }) => await patch(id, file, 0)))
    t.strictSame(answers.map(({ status }) => status), [204, 204, 204])
    t.equal(most, 1)
    for (const { file, id } of uploads) t.ok((await bytesOf(id)).equals(file))
  })

  await t.test('that are refused end, even if nobody reads the answer', async (t) => {
    const file = next()
    const id = await made(file)
    t.equal((await patch(id, file.subarray(0, 300), 0)).status, 204)
    const { partials } = app.files
    const { sizeOf } = partials
    const received: IncomingMessage[] = []
    const receive = (request: IncomingMessage) => { received.push(request) }
    app.server.on('request', receive)
    t.teardown(() => {
      partials.sizeOf = sizeOf
      app.server.off('request', receive)
    })
    let waiting = 0
    partials.sizeOf = async (upload) => {
      waiting++
      await until(() => received.every(({ destroyed }) => destroyed))
      return await sizeOf.call(partials, upload)
    }
    const running = Array.from({ length: 4 }, () => beginPart(target(id), file.subarray(500), 50, 500))
    await until(() => waiting === 4)
    for (const { request } of running) request.destroy()
    await until(() => received.length === 4 && received.every(({ destroyed }) => destroyed))
    partials.sizeOf = sizeOf
    await until(async () => (await patch(id, file.subarray(500), 500)).status === 409)

    const headers = { 'tus-resumable': '1.0.0', 'upload-offset': '500', 'transfer-encoding': 'chunked', authorization: `Bearer ${director.access}` }
    for (let n = 0; n < 5; n++) {
      const status = await new Promise((resolve, reject) => {
        httpRequest(target(id).url, { method: 'PATCH', headers, agent: false }, answer => resolve(answer.resume().statusCode)).on('error', reject).end()
      })
      t.equal(status, 409, 'an empty body is read before its refusal')
    }
    t.equal((await patch(id, file.subarray(300), 300)).status, 204)
  })

  await t.test('reserve their bytes until they end', async (t) => {
    const large = next(10_000_000)
    const id = await made(large)
    t.equal((await patch(id, large.subarray(0, 100), 0)).status, 204)
    t.match(await rows(), [{ adjunto_id: id, bytes: 10_000_000 }])
    const other = next(10_000_000)
    const second = await made(other)
    const refused = await patch(second, other, 0)
    t.equal(refused.status, 413)
    t.match(await refused.json(), { code: 'quota_exceeded' })
    t.equal((await put(second, other)).status, 413)
    t.equal((await rows()).length, 1)
    t.strictSame(await sendByTus(target(id), large, 4_000_000), { offsets: [100, 4_000_100, 8_000_100] }, 'the last part is within the same reservation')
    t.equal(await state(id), 'listo')
    t.strictSame(await rows(), [])
  })

  await t.test('are described by OPTIONS, without a token', async (t) => {
    const described = { 'tus-version': '1.0.0', 'tus-resumable': '1.0.0', 'tus-extension': 'creation,expiration', 'tus-max-size': '26214400', allow: 'GET, HEAD, OPTIONS, PATCH, POST, PUT' }
    const answer = await fetch(target(1).url, { method: 'OPTIONS' })
    t.equal(answer.status, 204)
    t.match(Object.fromEntries(answer.headers), described)
  })
})

t.test('resumable uploads of a page of another origin', async (t) => {
  const page = 'https://app.example.mx'
  const { attach, contract, content, origin } = await attaching(t, { CORS_ORIGINS: page })
  const file = fileOf('image/jpeg', 'del navegador')
  const { id } = await attach(file, { contract: await contract() })
  const names = ['authorization', 'content-type', 'tus-resumable', 'upload-offset']
  const preflight = await fetch(`${origin}/api/v1/adjuntos/${id}/contenido/`, {
    method: 'OPTIONS', headers: { origin: page, 'access-control-request-method': 'PATCH', 'access-control-request-headers': names.join(',') }
  })
  t.equal(preflight.status, 204)
  t.match(Object.fromEntries(preflight.headers), {
    'access-control-allow-origin': page, 'access-control-allow-methods': /PATCH/, 'access-control-allow-headers': names.join(','), 'tus-version': '1.0.0'
  })
  const answer = await content(id, { method: 'PATCH', body: new Uint8Array(file.subarray(0, 100)), headers: { origin: page, ...partHeaders(0) } })
  t.equal(answer.status, 204)
  const exposed = (answer.headers.get('access-control-expose-headers') ?? '').toLowerCase().split(', ')
  for (const name of ['tus-resumable', 'tus-version', 'tus-extension', 'tus-max-size', 'upload-offset', 'upload-length', 'upload-expires']) t.ok(exposed.includes(name), name)
})
