import { createServer, request as httpRequest, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createObraClient } from 'obra/client'
import t, { type Test } from 'tap'
import { loadConfig } from '../../../../../../src/config.ts'
import { cleanFiles } from '../../../../../../src/jobs/files/clean.ts'
import { openFileStore } from '../../../../../../src/server/open-file-store.ts'
import { attaching, fileOf, sha256Of } from '../../../../../support/attaching.ts'
import { fakeBucket } from '../../../../../support/bucket.ts'
import { sendByTus } from '../../../../../support/tus.ts'

/** Runs work at a later time. @param ms by which this process believes it is later */
async function later<T> (ms: number, work: () => Promise<T>): Promise<T> {
  const Now = Date
  globalThis.Date = class extends Now {
    constructor (...parts: unknown[]) {
      super(...(parts.length === 0 ? [Now.now() + ms] : parts) as [number])
    }
  } as DateConstructor
  try {
    return await work()
  } finally {
    globalThis.Date = Now
  }
}

t.test('a URL of the bucket', async (t) => {
  const { as, attach, bucket, contract, content, director, put, origin, psql } = await attaching(t, {}, 'bucket')
  const of = await contract()
  const [file, other] = [fileOf('image/jpeg', 'una'), fileOf('image/jpeg', 'otra')] as [Buffer, Buffer]
  const { id } = await attach(file, { contract: of, nombre: 'Losa 3.jpg' }) as { id: number }
  for (const [one, bytes] of [[id, file], [(await attach(other, { contract: of }))['id'], other]] as const) t.equal((await put(one, bytes)).status, 200)
  const [{ company }] = await psql('select company_id as company from adjuntos where id = $1', [id]) as [{ company: number }]
  const locate = async () => {
    const answer = await content(id, { redirect: 'manual' })
    t.equal(answer.status, 302)
    t.equal(answer.headers.get('cache-control'), 'no-store')
    t.equal(answer.headers.get('etag'), null)
    return new URL(answer.headers.get('location') as string)
  }

  await t.test('opens one object without a token, also in parts, with the name and type of the attachment', async (t) => {
    const url = await locate()
    t.equal(url.origin + url.pathname, `${bucket?.origin}/obra-files/archivos/${company}/${sha256Of(file)}`)
    const answer = await fetch(url)
    t.equal(answer.status, 200)
    t.ok(Buffer.from(await answer.arrayBuffer()).equals(file))
    t.match(Object.fromEntries(answer.headers), {
      'content-type': 'image/jpeg',
      'content-disposition': 'attachment; filename="Losa 3.jpg"; filename*=UTF-8\'\'Losa%203.jpg',
      'cache-control': 'private, no-store'
    })
    const part = await fetch(url, { headers: { range: 'bytes=10-19' } })
    t.equal(part.status, 206)
    t.ok(Buffer.from(await part.arrayBuffer()).equals(file.subarray(10, 20)))
  })

  await t.test('opens nothing else', async (t) => {
    const refused = async (change: (url: URL) => void, method = 'GET') => {
      const url = await locate()
      change(url)
      const answer = await fetch(url, { method, ...method === 'PUT' && { body: 'x' } })
      t.equal(answer.status, 403, `${method} ${url.pathname}`)
      t.match(await answer.text(), /SignatureDoesNotMatch/)
    }
    await refused((url) => { url.pathname = url.pathname.replace(sha256Of(file), sha256Of(other)) })
    await refused((url) => { url.pathname = url.pathname.replace(`/${company}/`, `/${company + 1}/`) })
    await refused((url) => { url.pathname = '/obra-files/' })
    await refused((url) => { url.searchParams.set('response-content-disposition', 'inline') })
    await refused((url) => { url.searchParams.set('X-Amz-Expires', '600') })
    await refused(() => {}, 'PUT')
    await refused(() => {}, 'DELETE')
    t.equal((await content(id)).status, 200)
  })

  await t.test('opens it for 60 s', async (t) => {
    const url = await locate()
    t.equal(url.searchParams.get('X-Amz-Expires'), '60')
    t.equal(await later(58_000, async () => (await fetch(url)).status), 200)
    const late = await later(62_000, async () => await fetch(url))
    t.equal(late.status, 403)
    t.match(await late.text(), /Request has expired/)
  })

  await t.test('is only for callers who can read the attachment', async (t) => {
    t.equal((await content(id, { redirect: 'manual' }, await as('director@otra.example'))).status, 404)
    t.equal((await fetch(`${origin}/api/v1/adjuntos/${id}/contenido/`, { redirect: 'manual' })).status, 401)
  })

  await t.test('is of an origin that the content policy of pages admits', async (t) => {
    const { headers } = await fetch(`${origin}/docs/`)
    t.match(headers.get('content-security-policy'), `connect-src 'self' ${(await locate()).origin};`)
  })

  await t.test('is followed by the typed client', async (t) => {
    const client = createObraClient({ baseUrl: origin, tokens: { access: director.access, refresh: director.refresh } })
    const { data } = await client.GET('/api/v1/adjuntos/{id}/contenido/', { params: { path: { id } }, parseAs: 'blob' })
    t.ok(Buffer.from(await (data as unknown as Blob).arrayBuffer()).equals(file))
  })
})

t.test('while the bucket does not answer, only files get 503', async (t) => {
  const { attach, bucket, contract, content, director, put, psql, stored } = await attaching(t, {}, 'bucket')
  const of = await contract()
  const file = fileOf('image/jpeg', 'antes')
  const { id } = await attach(file, { contract: of }) as { id: number }
  t.equal((await put(id, file)).status, 200)
  const before = stored()
  await bucket?.stop()
  const next = fileOf('image/jpeg', 'durante')
  const { id: waiting } = await attach(next, { contract: of }) as { id: number }
  for (const answer of [await content(id), await content(id, { method: 'HEAD' }), await put(id, file), await put(waiting, next)]) {
    t.equal(answer.status, 503)
    t.equal(answer.headers.get('retry-after'), '10')
  }
  t.match((await director.get(`adjuntos/${waiting}/`)).json(), { estado: 'pendiente' })
  t.strictSame(await psql('select * from uploads'), [])
  t.strictSame(stored(), before)
  await bucket?.start()
  t.equal((await put(waiting, next)).status, 200)
  for (const [one, bytes] of [[id, file], [waiting, next]] as const) t.ok(Buffer.from(await (await content(one)).arrayBuffer()).equals(bytes))
})

t.test('a resumable upload ends in the bucket, or leaves a row that leads the job to its bytes', async (t) => {
  const { app, attach, bucket, content, contract, director, origin, psql } = await attaching(t, {}, 'bucket')
  const of = await contract()
  const target = (id: number) => ({ url: `${origin}/api/v1/adjuntos/${id}/contenido/`, token: director.access })
  const file = fileOf('image/jpeg', 'por partes', 100_000)
  const { id } = await attach(file, { contract: of }) as { id: number }
  t.strictSame(await sendByTus(target(id), file, 40_000), { offsets: [0, 40_000, 80_000] })
  t.ok(Buffer.from(await (await content(id)).arrayBuffer()).equals(file))
  t.strictSame(await psql('select id from uploads'), [])

  const other = fileOf('image/jpeg', 'borrada', 1000)
  const { id: gone } = await attach(other, { contract: of }) as { id: number }
  const { store } = app.files
  const { send } = store
  t.teardown(() => { store.send = send })
  store.send = async (temporary, key) => {
    await psql('delete from adjuntos where id = $1', [gone])
    return await send.call(store, temporary, key)
  }
  t.match(await sendByTus(target(gone), other), { error: { status: 404 } })
  const keys = () => bucket?.keys().filter(key => key.endsWith(sha256Of(other))).length
  t.strictSame([keys(), (await psql('select id from uploads')).length], [1, 1])
  await psql("update uploads set begun_at = now() - interval '2 hours', active_at = now() - interval '2 hours'")
  await cleanFiles(app.database, app.files)
  t.strictSame([keys(), await psql('select id from uploads')], [0, []])
})

t.test('bytes that are removed between their upload to the bucket and the commit make no attachment ready', async (t) => {
  const { app, attach, content, contract, director, put } = await attaching(t, {}, 'bucket')
  const { store } = app.files
  const { send } = store
  const file = fileOf('image/jpeg', 'retirada')
  const { id } = await attach(file, { contract: await contract() }) as { id: number }
  store.send = async (temporary, key) => {
    store.send = send
    const isSent = await send.call(store, temporary, key)
    await store.remove(key)
    return isSent
  }
  t.equal((await put(id, file)).status, 503)
  t.match((await director.get(`adjuntos/${id}/`)).json(), { estado: 'pendiente' })
  t.equal((await put(id, file)).status, 200)
  t.ok(Buffer.from(await (await content(id)).arrayBuffer()).equals(file))
})

/** A request that a {@link relay} has received. */
interface Relayed {
  method: string | undefined
  url: string | undefined
  headers: IncomingHttpHeaders
}

/** Passes requests to a service. @returns its origin, the received requests, and how it treats the answers */
async function relay (t: Test, origin: string) {
  const received: Relayed[] = []
  const mode: { answers: 'all' | 'cut' | 'cut once' | 'refusals' | 'none' } = { answers: 'all' }
  const { hostname, port } = new URL(origin)
  const server = createServer((request, response) => {
    const { method, url, headers } = request
    received.push({ method, url, headers })
    if (mode.answers === 'none') return
    if (mode.answers === 'refusals') {
      request.resume()
      response.writeHead(403).end()
      return
    }
    request.pipe(httpRequest({ hostname, port, method, path: url, headers }, (answer) => {
      if (mode.answers === 'cut' || mode.answers === 'cut once') {
        if (mode.answers === 'cut once') mode.answers = 'refusals'
        answer.resume().on('end', () => response.destroy())
        return
      }
      response.writeHead(answer.statusCode as number, answer.headers)
      answer.pipe(response)
    }))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => server.close().closeAllConnections())
  return { received, mode, origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

t.test('requests to the bucket', async (t) => {
  const bucket = await fakeBucket(t)
  const way = await relay(t, bucket.origin)
  const server = await attaching(t, { FILES_URL: `s3://obra-files/archivos?endpoint=${way.origin}&public-endpoint=${bucket.origin}` })
  const { app, attach, contract, content, director, put, psql } = server
  const of = await contract()

  await t.test('sign the hash of the bytes, and URLs have the public endpoint', async (t) => {
    const file = fileOf('image/jpeg', 'firmada', 300_000)
    const { id } = await attach(file, { contract: of }) as { id: number }
    t.equal((await put(id, file)).status, 200)
    const [sent] = way.received.filter(({ method }) => method === 'PUT')
    t.match(sent?.headers, { 'content-length': '300000', 'x-amz-content-sha256': sha256Of(file), authorization: /SignedHeaders=[^,]*x-amz-content-sha256/ })
    t.equal(sent?.headers['x-amz-checksum-sha256'], Buffer.from(sha256Of(file), 'hex').toString('base64'))
    const answer = await content(id)
    t.equal(new URL(answer.url).origin, bucket.origin)
    t.ok(Buffer.from(await answer.arrayBuffer()).equals(file))
  })

  await t.test('whose answers are lost leave a row that leads the job to the bytes', async (t) => {
    const file = fileOf('image/jpeg', 'sin respuesta')
    const { id } = await attach(file, { contract: of }) as { id: number }
    const left = () => bucket.keys().filter(key => key.endsWith(sha256Of(file))).length
    for (const answers of ['cut', 'cut once'] as const) {
      way.mode.answers = answers
      t.equal((await put(id, file)).status, 503, answers)
      way.mode.answers = 'all'
      t.match((await director.get(`adjuntos/${id}/`)).json(), { estado: 'pendiente' })
      t.strictSame([left(), await psql('select sha256, bytes from uploads')], [1, [{ sha256: sha256Of(file), bytes: 200 }]])
      await psql("update uploads set begun_at = now() - interval '2 hours'")
      t.match(await cleanFiles(app.database, app.files), { uploads: 1 })
      t.strictSame([left(), await psql('select * from uploads')], [0, []])
    }
    t.equal((await put(id, file)).status, 200, 'and can be sent again')
  })

  await t.test('that get no answer end, and keep no lock for the others of the job', async (t) => {
    const file = fileOf('image/jpeg', 'callada')
    const { id } = await attach(file, { contract: of }) as { id: number }
    t.equal((await put(id, file)).status, 200)
    await psql(`
      insert into stored_files (company_id, sha256, bytes, tipo, unused_since, removing)
      select company_id, repeat(h, 64), 1, 'image/jpeg', now() - interval '30 hours', true
      from stored_files, unnest(array['a', 'b', 'c']) h where sha256 = $1`, [sha256Of(file)])
    way.mode.answers = 'none'
    const asked = way.received.length
    const [answer, cleaned] = await Promise.all([content(id), cleanFiles(app.database, app.files).catch((error: Error) => error)])
    t.equal(answer.status, 503)
    t.match(cleaned, { name: 'Error', isOutage: true, canBeDone: true })
    const removals = way.received.slice(asked).filter(({ method }) => method === 'DELETE')
    t.equal(new Set(removals.map(({ url }) => url)).size, 1, 'one file, not all of them')
    way.mode.answers = 'all'
    await cleanFiles(app.database, app.files)
    t.strictSame(await psql('select sha256 from stored_files where removing'), [])
  })
})

t.test('the list of a bucket is read page by page', async (t) => {
  const pages: Record<string, [keys: string[], next?: string]> = { '': [['a/7/x', 'a/7/y', 'a/other', 'a/8/z/deeper'], 'second'], second: [['a/10/z']] }
  const server = createServer(({ url }, response) => {
    const { searchParams } = new URL(url as string, 'http://localhost')
    const [keys, next] = pages[searchParams.get('continuation-token') ?? ''] as [string[], string?]
    const token = next === undefined ? '' : `<NextContinuationToken>${next}</NextContinuationToken>`
    const contents = keys.map(key => `<Contents><Key>${key}</Key></Contents>`).join('')
    response.setHeader('content-type', 'application/xml').end(`<ListBucketResult>${contents}${token}</ListBucketResult>`)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => server.close().closeAllConnections())
  const { url } = await fakeBucket(t)
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const store = await openFileStore({ ...loadConfig({}), FILES_URL: url.replace(/archivos.*/, `a?endpoint=${origin}`) }, { warn () {} })
  t.teardown(() => store.close())
  t.strictSame(await Array.fromAsync(store.keys()), [{ company: 7, sha256: 'x' }, { company: 7, sha256: 'y' }, { company: 10, sha256: 'z' }])
})

t.test('the origin of downloads is that of signed URLs, also without an answer of the service', async (t) => {
  const originOf = async (url: string) => {
    const store = await openFileStore(loadConfig({ FILES_URL: url }), { warn () {} })
    t.teardown(() => store.close())
    return await store.origin()
  }
  t.equal(await originOf('s3://obra-files?region=eu-central-1'), 'https://obra-files.s3.eu-central-1.amazonaws.com')
  t.equal(await originOf('s3://obra-files/a?endpoint=http://10.0.0.7:9000&public-endpoint=https://files.example.mx'), 'https://files.example.mx')
  t.equal(await originOf('s3://obra-files?endpoint=https://s3.example.mx/'), 'https://s3.example.mx')
})
