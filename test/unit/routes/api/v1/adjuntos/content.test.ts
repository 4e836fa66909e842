import t, { type Test } from 'tap'
import { attaching, fileOf, sha256Of } from '../../../../../support/attaching.ts'
import { fileStores, type FileStoreKind } from '../../../../../support/bucket.ts'

for (const kind of fileStores) t.test(`the bytes of an attachment in a ${kind}`, async t => await keepsBytes(t, kind))

async function keepsBytes (t: Test, kind: FileStoreKind): Promise<void> {
  const { attach, contract, content, put, director, psql, stored } = await attaching(t, {}, kind)
  const of = await contract()

  await t.test('arrive after the record, and are sent as they are', async (t) => {
    const file = fileOf('image/jpeg', 'foto', 100_000)
    const record = await attach(file, { contract: of, nombre: 'Losa ñ "3".jpg' })
    t.match(record, { estado: 'pendiente', version: 1, bytes: 100_000, sha256: sha256Of(file) })
    const early = await content(record['id'])
    t.equal(early.status, 409)
    t.strictSame(await early.json(), { detail: 'The server does not have the bytes of this file yet.', code: 'conflict' })

    const sent = await put(record['id'], file)
    t.equal(sent.status, 200)
    const { updated_at: _, ...others } = record
    t.match(await sent.json(), { ...others, estado: 'listo', version: 2 })
    const [company] = await psql('select company_id as id from adjuntos where id = $1', [record['id']])
    t.strictSame(stored(), [`${company?.['id']}/${sha256Of(file)}`], 'nothing else is left')

    const read = await content(record['id'])
    t.equal(read.status, 200)
    t.ok(Buffer.from(await read.arrayBuffer()).equals(file))
    t.match(Object.fromEntries(read.headers), {
      'content-type': 'image/jpeg',
      'content-length': '100000',
      'content-disposition': 'attachment; filename="Losa n _3_.jpg"; filename*=UTF-8\'\'Losa%20%C3%B1%20_3_.jpg',
      'cache-control': /^private/,
      'accept-ranges': 'bytes',
      ...kind === 'folder' && { 'x-content-type-options': 'nosniff', etag: `"${sha256Of(file)}"` }
    })
    const head = await content(record['id'], { method: 'HEAD', redirect: 'error' })
    t.match(Object.fromEntries(head.headers), {
      'content-type': 'image/jpeg',
      'content-length': '100000',
      'content-disposition': read.headers.get('content-disposition'),
      'accept-ranges': 'bytes',
      etag: `"${sha256Of(file)}"`
    })
    t.equal((await content(record['id'], { redirect: 'error', headers: { 'if-none-match': head.headers.get('etag') ?? '' } })).status, 304)
  })

  await t.test('can be read in parts', { skip: kind === 'bucket' && 'the service of a bucket reads ranges itself' }, async (t) => {
    const file = fileOf('application/pdf', 'partes', 1000)
    const { id } = await attach(file, { contract: of, tipo: 'application/pdf' }) as { id: number }
    t.equal((await put(id, file)).status, 200)
    const tag = `"${sha256Of(file)}"`
    const parts: Array<[range: string, status: number, part: Buffer, header: string | null, ifRange?: string]> = [
      ['bytes=0-9', 206, file.subarray(0, 10), 'bytes 0-9/1000'],
      ['bytes=990-', 206, file.subarray(990), 'bytes 990-999/1000'],
      ['bytes=-5', 206, file.subarray(995), 'bytes 995-999/1000'],
      ['bytes=-99999', 206, file, 'bytes 0-999/1000'],
      ['bytes=990-2000', 206, file.subarray(990), 'bytes 990-999/1000'],
      ['bytes=0-1,5-6', 200, file, null],
      ['lines=1-2', 200, file, null],
      ['bytes=0-9', 206, file.subarray(0, 10), 'bytes 0-9/1000', tag],
      ['bytes=0-9', 200, file, null, '"another"']
    ]
    for (const [range, status, part, header, ifRange] of parts) {
      const answer = await content(id, { headers: { range, ...ifRange === undefined ? {} : { 'if-range': ifRange } } })
      t.equal(answer.status, status, range)
      t.equal(answer.headers.get('content-range'), header, range)
      t.ok(Buffer.from(await answer.arrayBuffer()).equals(part), range)
    }
    const beyond = await content(id, { headers: { range: 'bytes=1000-' } })
    t.equal(beyond.status, 416)
    t.equal(beyond.headers.get('content-range'), 'bytes */1000')
    t.match(await beyond.json(), { code: 'range_not_satisfiable', detail: 'The file has 1000 bytes, so it does not have this range.' })
    for (const range of ['bytes=0-9', 'bytes=1000-']) {
      const { status, headers } = await content(id, { method: 'HEAD', headers: { range } })
      t.strictSame([status, headers.get('content-length'), headers.get('content-range')], [200, '1000', null], `HEAD ${range}`)
    }
  })

  await t.test('must be those of the record', async (t) => {
    const file = fileOf('image/png', 'correcta')
    const before = stored()
    const { id } = await attach(file, { contract: of, tipo: 'image/png' }) as { id: number }
    const refused = async (sent: Buffer, errors: object) => {
      const answer = await put(id, sent)
      t.equal(answer.status, 400)
      t.match(await answer.json(), { errors })
      t.strictSame(stored(), before, 'nothing is stored')
      t.strictSame(await psql('select * from uploads'), [], 'nothing is reserved')
      t.match((await director.get(`adjuntos/${id}/`)).json(), { estado: 'pendiente', version: 1 })
    }
    const other = fileOf('image/png', 'otra')
    await refused(other, { sha256: [`The SHA-256 hash of the file is ${sha256Of(other)}.`] })
    await refused(file.subarray(1), { bytes: ['The file has 199 bytes, but the attachment says 200.'] })
    await refused(Buffer.alloc(0), { bytes: ['The file has 0 bytes, but the attachment says 200.'] })
    await refused(Buffer.concat([file, file]), { bytes: ['The file has 400 bytes, but the attachment says 200.'] })
    t.equal((await put(id, file)).status, 200, 'the right file is accepted afterwards')
  })

  await t.test('must be of a media type that Obra takes', async (t) => {
    const page = Buffer.from('<!DOCTYPE html><html></html>')
    const { id } = await attach(page, { contract: of, tipo: 'application/pdf' }) as { id: number }
    const answer = await put(id, page)
    t.equal(answer.status, 400)
    t.match(await answer.json(), {
      errors: { tipo: [/^The content of the file is of none of these media types: image\/jpeg, .*sheet\.$/] }, codes: { tipo: ['wrong_type'] }
    })
    t.match((await director.get(`adjuntos/${id}/`)).json(), { estado: 'pendiente', tipo: 'application/pdf', tipo_declarado: null })
  })

  await t.test('decide on the media type, whatever the client declares, before and after', async (t) => {
    const photo = Buffer.from(`\0\0\0\x18ftypheic\0\0\0\0mif1heic${'x'.repeat(200)}`, 'latin1')
    const corrected = { estado: 'listo', tipo: 'image/heic', tipo_declarado: 'image/jpeg' }
    const { id, estado } = await attach(photo, { contract: of, tipo: 'image/jpeg', external_id: 'iphone' }) as { id: number, estado: string }
    const waiting = await attach(photo, { contract: of, tipo: 'image/png' }) as { id: number }
    t.equal(estado, 'pendiente')
    t.match(await (await put(id, photo)).json(), corrected)
    t.match((await director.get(`adjuntos/${waiting.id}/`)).json(), { ...corrected, tipo_declarado: 'image/png' }, 'one that waited for the same bytes')
    t.match(await attach(photo, { contract: of, tipo: 'application/pdf' }), { ...corrected, tipo_declarado: 'application/pdf' }, 'one of known bytes')
    t.match(await attach(photo, { contract: of, tipo: 'image/heif' }), { ...corrected, tipo_declarado: null }, 'the right one')
    const read = await content(id)
    t.equal(read.headers.get('content-type'), 'image/heic')
    t.match(read.headers.get('content-disposition'), /\.heic/)
    const repeated = await director.post('adjuntos/bulk/', { upsert: 'external_id', items: [{ external_id: 'iphone', tipo: 'image/jpeg' }] })
    t.match([repeated.statusCode, repeated.json().results[0]], [201, { ...corrected, version: 2 }], 'a repetition of the create changes nothing')
    t.match((await director.send('PATCH', `adjuntos/${id}/`, { tipo: 'IMAGE/JPG' })).json(), { ...corrected, version: 2 }, 'nor does a change')
    t.match((await director.send('PATCH', `adjuntos/${id}/`, { tipo: 'image/png' })).json(), { ...corrected, tipo_declarado: 'image/png' })
  })

  await t.test('never change: the same ones are accepted again, others are not', async (t) => {
    const file = fileOf('image/jpeg', 'repetida')
    const { id } = await attach(file, { contract: of }) as { id: number }
    const first = await put(id, file)
    const again = await put(id, file)
    t.equal(again.status, 200)
    t.strictSame(await again.json(), await first.json(), 'the record is the same')
    const other = await put(id, fileOf('image/jpeg', 'distinta'))
    t.equal(other.status, 409)
    t.match(await other.json(), { code: 'conflict', detail: /^The server has the bytes of this file already/ })
    t.ok(Buffer.from(await (await content(id)).arrayBuffer()).equals(file))
  })

  await t.test('take media types of files only, without a coding', async (t) => {
    const file = fileOf('image/jpeg', 'cabeceras')
    const { id } = await attach(file, { contract: of }) as { id: number }
    const sent = async (headers: Record<string, string>) => (await content(id, { method: 'PUT', body: new Uint8Array(file), headers })).status
    t.equal(await sent({ 'content-type': 'application/json' }), 415)
    t.equal(await sent({ 'content-type': 'text/html' }), 415)
    t.equal(await sent({ 'content-type': 'image/svg+xml' }), 415)
    t.equal(await sent({ 'content-type': 'image/jpeg', 'content-encoding': 'gzip' }), 415)
    t.equal(await sent({ 'content-type': 'image/jpeg', 'if-match': '"1.1.x.1"' }), 412)
    t.equal(await sent({ 'content-type': 'image/jpeg' }), 200)
  })
}
