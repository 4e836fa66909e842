import { join } from 'node:path'
import { Dexie } from 'dexie'
import { IDBKeyRange, indexedDB } from 'fake-indexeddb'
import fc from 'fast-check'
import t from 'tap'
import type { Test } from 'tap'
import { memoryStorage } from 'obra/client/sync'
import { dexieStorage } from 'obra/client/sync/dexie'
import { fileStorage } from 'obra/client/sync/file'
import type { Storage } from 'obra/client/sync'
import { restore, save } from '../../../system/sync/restore.ts'
import { demoPassword } from '../../../../src/domain/demo/data.ts'
import { sha256Of } from '../../../support/attaching.ts'
import { until } from '../../../support/until.ts'
import { busy, failed, refused } from '../answers.ts'
import { html } from '../proxy.ts'
import { attachingPhones, photoOf, statesOf } from './attaching-phone.ts'
import { list } from './entries.ts'
import { phone } from './phone.ts'

Object.assign(Dexie.dependencies, { indexedDB, IDBKeyRange })

const site = await attachingPhones(t)
const { server, contract, phoneOf, has } = site
const director = { email: 'director@demo.example', password: demoPassword }
const isContent = ({ url }: { url: string }) => url.endsWith('/contenido/')

/** Each opens the same storage again. */
const storages: Record<string, (t: Test) => () => Promise<Storage>> = {
  file: (t) => {
    const path = join(t.testdir(), 'store')
    return async () => await fileStorage(path)
  },
  IndexedDB: t => async () => dexieStorage(t.name)
}
for (const [name, opener] of Object.entries(storages)) {
  t.test(`${name}: a photo that was taken offline is sent after a restart, once the server has its attachment`, async (t) => {
    const open = opener(t)
    const { data: tokens } = await (await phone(t, server)).obra.POST('/api/v1/api-token-auth/', { body: director })
    const first = await phoneOf({ storage: await open(), tokens })
    first.network.isOnline = false
    const { file, blob, sha256 } = photoOf(700_000)
    const added = await first.store.files.add(blob, { contract, nombre: 'muro.jpg', descripcion: 'Eje A', tomada_en: '2026-03-14T16:20:00Z' })
    t.match(added, { sync: 'pending', nombre: 'muro.jpg', tipo: 'image/jpeg', bytes: 700_000, sha256, contract, estimate: null })
    const waiting = [{ id: added.id, nombre: 'muro.jpg', tipo: 'image/jpeg', bytes: 700_000, sent: 0, state: 'waiting' as const, error: undefined }]
    t.strictSame(first.store.files.progress, waiting)
    await t.rejects(first.store.sync(), TypeError)
    await first.store.close()

    const second = await phoneOf({ storage: await open(), tokens })
    t.ok(await has(sha256, file))
    t.strictSame(await second.store.files.list(), [{ ...waiting[0], sent: 700_000, state: 'done' }])
    t.ok(Buffer.from(await (await second.store.files.get(added.id))?.arrayBuffer() as ArrayBuffer).equals(file), 'it can still be shown')
    t.match(await second.store.adjuntos.get(added.id), { sync: 'synced', descripcion: 'Eje A' })
    await second.store.sync()
    t.match(await second.store.adjuntos.get(added.id), { estado: 'listo' })
  })
}

t.test('a file whose bytes the server has already needs no upload', async (t) => {
  const { store, network } = await phoneOf()
  const { blob } = photoOf(300_000)
  await store.files.add(blob, { contract, nombre: 'uno.jpg' })
  await store.sync()
  network.sent.length = 0
  const { id } = await store.files.add(blob, { contract, nombre: 'dos.jpg' })
  await store.sync()
  t.strictSame(statesOf(store), [['done', 300_000], ['done', 300_000]])
  t.match(await store.adjuntos.get(id), { estado: 'listo' })
  t.strictSame(network.sent.filter(({ method }) => method === 'PATCH'), [])
})

t.test('a cut connection, or a lost answer, costs no byte that the server has', async (t) => {
  const { store, network } = await phoneOf()
  const { file, blob, sha256 } = photoOf(1_500_000)
  await store.files.add(blob, { contract, nombre: 'losa.jpg' })
  const bodies: number[] = []
  let [cut, lost] = [2, 0]
  network.answer = async (request) => {
    if (request.method !== 'PATCH') return undefined
    if (bodies.length + 1 === cut) throw new TypeError('fetch failed')
    bodies.push((await request.clone().arrayBuffer()).byteLength)
    network.losesAnswers = bodies.length === lost
    return undefined
  }
  await t.rejects(store.sync(), TypeError)
  const [first = 0] = bodies
  t.ok(first > 0 && first < 1_500_000)
  t.strictSame(statesOf(store), [['waiting', first]])
  ;[cut, lost] = [0, 2]
  await t.rejects(store.sync(), TypeError)
  network.losesAnswers = false
  await store.sync()
  t.strictSame(statesOf(store), [['done', 1_500_000]])
  t.equal(bodies.reduce((sum, bytes) => sum + bytes, 0), 1_500_000)
  t.ok(bodies.length >= 3)
  t.ok(await has(sha256, file))
})

t.test('an answer 409 costs no file: the server may have several machines', async (t) => {
  const { store, network } = await phoneOf()
  const { file, blob, sha256 } = photoOf(1_500_000)
  await store.files.add(blob, { contract, nombre: 'firme.jpg' })
  const wrongOffset = () => refused(409, 'conflict')
  network.answer = ({ method }) => method === 'PATCH' ? wrongOffset() : undefined
  await t.rejects(store.sync(), { code: 'conflict' })
  t.strictSame(statesOf(store), [['waiting', 0]])
  let [requests, refusals] = [0, 0]
  network.answer = ({ method }) => {
    if (method !== 'PATCH' || (requests += 1) % 2 === 0) return undefined
    refusals += 1
    return wrongOffset()
  }
  await store.sync()
  t.ok(refusals > 1)
  t.strictSame(statesOf(store), [['done', 1_500_000]])
  t.ok(await has(sha256, file))
})

t.test('a file is not sent to the attachment of another file, which can have its id on a restored server', async (t) => {
  const { store, network } = await phoneOf()
  const { file, blob, sha256 } = photoOf(200_000)
  await store.files.add(blob, { contract, nombre: 'own.jpg' })
  for (const isComplete of [true, false]) {
    const other = photoOf(200_000).file
    const { id } = await server.attach(other, { contract })
    if (isComplete) await server.put(id, other)
    network.answer = async ({ method }) => method === 'HEAD'
      ? await server.content(id, { method: 'HEAD', headers: { 'tus-resumable': '1.0.0' } })
      : undefined
    network.sent.length = 0
    await t.rejects(store.sync(), { code: 'conflict' })
    t.strictSame(statesOf(store), [['waiting', 0]])
    t.strictSame(network.sent.filter(({ method }) => method === 'PATCH'), [])
  }
  network.answer = undefined
  await store.sync()
  t.ok(await has(sha256, file))
})

t.test('any sequence of cuts, lost answers and temporary refusals ends with the right file', async (t) => {
  const { store, network } = await phoneOf()
  const faults = ['cut', 'lost', 'refused', 'none'] as const
  await fc.assert(fc.asyncProperty(fc.integer({ min: 1, max: 900_000 }), fc.array(fc.constantFrom(...faults), { maxLength: 8 }), async (bytes, plan) => {
    const { file, blob, sha256 } = photoOf(bytes)
    const { id } = await store.files.add(blob, { contract, nombre: 'any.jpg' })
    const left = [...plan]
    network.answer = (request) => {
      if (!isContent(request)) return undefined
      const fault = left.shift()
      network.losesAnswers = fault === 'lost'
      if (fault === 'cut') throw new TypeError('fetch failed')
      return fault === 'refused' ? busy() : undefined
    }
    for (let attempt = 0; attempt <= plan.length; attempt++) {
      await store.sync().catch(() => {})
      // Several cuts in a row look like a firewall.
      if (store.files.progress.find(file => file.id === id)?.state === 'blocked') await store.files.retry(id)
      network.losesAnswers = false
    }
    network.answer = undefined
    if (store.files.progress.find(file => file.id === id)?.state !== 'done') return false
    return await has(sha256, file)
  }), { numRuns: 12 })
})

t.test('a server that refuses a file for now is no proxy: the file is never set apart', async (t) => {
  const { store, network } = await phoneOf()
  const { file, blob, sha256 } = photoOf(200_000)
  await store.files.add(blob, { contract, nombre: 'busy.jpg' })
  network.answer = request => isContent(request) ? busy() : undefined
  for (let attempt = 0; attempt < 4; attempt++) await t.rejects(store.sync(), { status: 503, code: 'unavailable' })
  t.strictSame(statesOf(store), [['waiting', 0]])
  network.answer = undefined
  await store.sync()
  t.ok(await has(sha256, file))
})

const faults = {
  'a proxy answers': () => html(403),
  'the connection is reset': () => { throw new TypeError('fetch failed') },
  'there is no answer': () => { throw new DOMException('The operation timed out.', 'TimeoutError') }
}
for (const [name, fail] of Object.entries(faults)) {
  t.test(`a file is set apart if ${name} each time, and delays no other file`, async (t) => {
    const { store, network } = await phoneOf()
    const [bad, good] = [photoOf(200_000), photoOf(200_000)]
    const { id } = await store.files.add(bad.blob, { contract, nombre: 'bad.jpg' })
    await store.files.add(good.blob, { contract, nombre: 'good.jpg' })
    network.answer = async (request) => {
      if (request.method !== 'PATCH') return undefined
      // On a busy machine, the store sends it in smaller parts.
      return bad.file.includes(Buffer.from(await request.clone().arrayBuffer())) ? fail() : undefined
    }
    await t.rejects(store.sync())
    t.strictSame(statesOf(store), [['waiting', 0], ['done', 200_000]])
    await t.rejects(store.sync())
    await store.sync()
    t.strictSame(statesOf(store), [['blocked', 0], ['done', 200_000]])
    const [status, code] = name === 'a proxy answers' ? [403, 'proxy_error'] : [0, 'offline']
    t.match(store.files.progress, [{ id, error: { status, code, detail: /proxy or firewall/ } }])
    network.sent.length = 0
    await store.sync()
    t.strictSame(network.sent.filter(({ method }) => method === 'PATCH'), [], 'not at once')
    network.answer = undefined
    await store.files.retry(id)
    await store.sync()
    t.ok(await has(bad.sha256, bad.file))
  })
}

t.test('a file of which the server gets more each time is not set apart, nor one without a connection', async (t) => {
  const { store, network } = await phoneOf()
  const { file, blob, sha256 } = photoOf(1_500_000)
  await store.files.add(blob, { contract, nombre: 'slow.jpg' })
  let isCut = false
  network.answer = ({ method }) => {
    if (method !== 'PATCH') return undefined
    isCut = !isCut
    if (!isCut) throw new TypeError('fetch failed')
    return undefined
  }
  let failures = 0
  while (store.files.progress[0]?.state !== 'done' && failures < 10) {
    await store.sync().catch(() => { failures += 1 })
    t.not(store.files.progress[0]?.state, 'blocked')
  }
  t.ok(await has(sha256, file))

  const other = photoOf(200_000)
  await store.files.add(other.blob, { contract, nombre: 'offline.jpg' })
  network.answer = ({ method, url }) => {
    if (method === 'PATCH' || url.endsWith('/me/')) throw new TypeError('fetch failed')
    return undefined
  }
  for (let attempt = 0; attempt < 4; attempt++) await t.rejects(store.sync(), { code: 'offline' })
  t.match(store.files.progress, [{ state: 'done' }, { state: 'waiting' }])
})

t.test('a refused file waits with the reason until it is sent again or discarded', async (t) => {
  const { store, network, obra } = await phoneOf({ language: 'es' })
  const { blob, file, sha256 } = photoOf(200_000)
  const { id } = await store.files.add(blob, { contract, nombre: 'refused.jpg' })
  network.answer = request => request.method === 'PATCH'
    ? refused(413, 'quota_exceeded', 'Sin lugar.')
    : undefined
  await store.sync()
  const apart = { id, state: 'failed', sent: 0, error: { status: 413, code: 'quota_exceeded', detail: 'Sin lugar.', errors: {}, codes: {} } }
  t.match(store.files.progress, [apart])
  network.sent.length = 0
  await store.sync()
  t.strictSame(network.sent.filter(({ path }) => path.endsWith('/contenido/')), [], 'it is not sent again by itself')
  network.answer = undefined
  await store.files.retry(id)
  t.strictSame(statesOf(store), [['waiting', 0]])
  await store.sync()
  t.ok(await has(sha256, file))

  const gone = photoOf(200_000)
  const { id: lost } = await store.files.add(gone.blob, { contract, nombre: 'gone.jpg' })
  network.answer = request => isContent(request) ? failed() : undefined
  await t.rejects(store.sync(), { code: 'error' })
  t.strictSame(statesOf(store), [['done', 200_000], ['waiting', 0]])
  network.answer = undefined
  const [record] = await server.psql("select id from adjuntos where nombre = 'gone.jpg'")
  t.equal((await server.director.send('DELETE', `adjuntos/${record?.['id']}/`)).statusCode, 204)
  await store.sync()
  t.match(store.files.progress[1], { state: 'failed', error: { status: 404, code: 'not_found' } })
  t.equal(await store.adjuntos.get(lost), undefined)
  await store.files.discard(lost)
  t.equal(store.files.progress.length, 1)
  await t.rejects(store.files.retry(lost), { code: 'not_found' })
  await obra.logOut()
})

t.test('a file that a restored server has lost stays on the device', async (t) => {
  const { store } = await phoneOf()
  await save(server.psql)
  const { file, blob } = photoOf(200_000)
  const { id } = await store.files.add(blob, { contract, nombre: 'restored.jpg' })
  await store.sync()
  await store.sync()
  t.strictSame(statesOf(store), [['done', 200_000]])
  await restore(server.psql)
  await store.sync()
  const next = photoOf(200_000)
  await store.files.add(next.blob, { contract, nombre: 'next.jpg' })
  await store.sync()
  t.match(store.files.progress, [{ id, state: 'failed', error: { status: 404, code: 'not_found' } }, { state: 'done' }])
  t.ok(Buffer.from(await (await store.files.get(id))?.arrayBuffer() as ArrayBuffer).equals(file))
  await store.files.discard(id)
  t.match(store.files.progress, [{ nombre: 'next.jpg' }])
})

t.test('if the server refuses the attachment, the file shows why, and is sent after the correction', async (t) => {
  const { store } = await phoneOf()
  const { blob, file, sha256 } = photoOf(200_000)
  const { id } = await store.files.add(blob, { contract, nombre: 'x'.repeat(201) })
  await store.sync()
  t.match(store.files.progress, [{ state: 'failed', error: { status: 400, codes: { nombre: ['max_length'] } } }])
  await store.files.retry(id)
  t.match(store.files.progress, [{ state: 'waiting', error: undefined }])
  await store.sync()
  t.match(store.files.progress, [{ state: 'failed' }])
  await store.adjuntos.update(id, { nombre: 'corto.jpg' })
  await store.sync()
  t.ok(await has(sha256, file))
})

t.test('the bytes leave the device with their attachment', async (t) => {
  const storage = memoryStorage()
  const { store, network } = await phoneOf({ storage })
  const bytes = async () => (await list(storage, 'bytes/')).length
  const ways: Record<string, (id: number | string) => Promise<void>> = {
    discard: async id => await store.files.discard(id),
    remove: async id => await store.adjuntos.remove(id),
    refused: async () => {
      await store.sync()
      await store.refused[0]?.discard()
    }
  }
  for (const [name, leave] of Object.entries(ways)) {
    const { id } = await store.files.add(photoOf(200_000).blob, { contract, nombre: name === 'refused' ? '' : name })
    t.not(await bytes(), 0)
    await leave(id)
    t.strictSame([await bytes(), store.files.progress, store.status.pending], [0, [], 0], name)
  }

  const { id } = await store.files.add(photoOf(200_000).blob, { contract, nombre: 'later' })
  network.answer = request => isContent(request) ? failed() : undefined
  await t.rejects(store.sync(), { code: 'error' })
  network.answer = undefined
  await store.adjuntos.remove(id)
  t.not(await bytes(), 0, 'the server can refuse the removal')
  network.sent.length = 0
  await store.sync()
  await store.sync()
  t.strictSame([await bytes(), store.files.progress], [0, []])
  t.strictSame(network.sent.filter(({ method }) => method === 'PATCH'), [])
})

t.test('of the files that the server has, the latest stay on the device', async (t) => {
  const { store } = await phoneOf()
  const ids = []
  for (let index = 0; index < 3; index++) {
    ids.push((await store.files.add(photoOf(7 * 2 ** 20).blob, { contract, nombre: `grande ${index}` })).id)
    await store.sync()
  }
  await store.files.add(photoOf(1000).blob, { contract, nombre: 'chica' })
  await store.sync()
  t.strictSame((await store.files.list()).map(({ nombre }) => nombre), ['grande 1', 'grande 2', 'chica'])
  t.equal(await store.files.get(ids[0] as string), undefined)
  t.equal((await store.files.get(ids[2] as string))?.size, 7 * 2 ** 20)
})

t.test('files of one user are neither shown nor sent to another one, and clear deletes them', async (t) => {
  const storage = memoryStorage()
  const { store, obra, network } = await phoneOf({ storage })
  const { blob, file, sha256 } = photoOf(200_000)
  const { id } = await store.files.add(blob, { contract, nombre: 'mine' })
  network.answer = request => isContent(request) ? busy() : undefined
  await t.rejects(store.sync(), { code: 'unavailable' })
  network.answer = undefined
  await obra.logIn({ email: 'coordinador@demo.example', password: demoPassword })
  await store.sync()
  t.strictSame([store.files.progress, await store.files.list(), await store.files.get(id)], [[], [], undefined])
  await t.rejects(store.files.retry(id), { code: 'not_found' })
  t.notOk(await has(sha256, file))
  await obra.logIn(director)
  await until(() => store.files.progress.length === 1)
  await t.rejects(store.clear(), { code: 'pending', message: '1 file is not on the server.' })
  await store.contracts.create({ folio: 'CLR-1' })
  await t.rejects(store.clear(), { code: 'pending', message: '1 edit and 1 file are not on the server.' })
  await store.clear({ force: true })
  t.strictSame([store.files.progress, await list(storage, 'bytes/')], [[], []])
})

t.test('clear deletes a file that the server has, and no file that a restored server waits for again', async (t) => {
  const { store, network } = await phoneOf()
  const isRefused = ({ method }: Request) => method === 'PATCH' ? busy() : undefined
  await store.files.add(photoOf(200_000).blob, { contract, nombre: 'lost answer' })
  network.answer = ({ method }) => {
    network.losesAnswers = method === 'PATCH'
    return undefined
  }
  await t.rejects(store.sync(), TypeError)
  network.losesAnswers = false
  network.answer = undefined
  await store.sync()
  t.strictSame(statesOf(store), [['done', 200_000]])
  await store.clear()
  t.strictSame(store.files.progress, [])

  await store.sync()
  await store.files.add(photoOf(200_000).blob, { contract, nombre: 'restored' })
  network.answer = isRefused
  await t.rejects(store.sync(), { code: 'unavailable' })
  await save(server.psql)
  network.answer = undefined
  await store.sync()
  t.strictSame(statesOf(store), [['done', 200_000]])
  await store.sync()
  await restore(server.psql)
  network.answer = isRefused
  await t.rejects(store.sync(), { code: 'unavailable' })
  t.match(statesOf(store), [['waiting', Number]])
  await t.rejects(store.clear(), { code: 'pending', message: '1 file is not on the server.' })
})

t.test('a started store sends files by itself, and edits do not wait for them', async (t) => {
  const { store, network } = await phoneOf()
  const { blob, file, sha256 } = photoOf(200_000)
  let release = () => {}
  const held = new Promise<void>((resolve) => { release = resolve })
  network.answer = async (request) => {
    if (request.method === 'PATCH') await held
    return undefined
  }
  const seen: string[] = []
  store.files.onProgress(([first]) => { if (first !== undefined && seen.at(-1) !== first.state) seen.push(first.state) })
  store.start()
  await store.files.add(blob, { contract, nombre: 'live' })
  await until(() => store.files.progress[0]?.state === 'sending')
  await store.contracts.create({ folio: 'LIV-F' })
  await until(async () => (await store.contracts.list({ folio: 'LIV-F', sync: 'synced' })).length === 1)
  t.equal(store.files.progress[0]?.state, 'sending')
  release()
  await until(() => store.files.progress[0]?.state === 'done')
  t.strictSame(seen, ['waiting', 'sending', 'done'])
  t.ok(await has(sha256, file))
})

t.test('a started store tries again after a failure, and of two tabs one sends', async (t) => {
  const storage = memoryStorage()
  const tabs = [await phoneOf({ storage }), await phoneOf({ storage })] as const
  let failures = 0
  for (const { store, network } of tabs) {
    network.answer = (request) => {
      if (!isContent(request) || failures > 0) return undefined
      failures += 1
      throw new TypeError('fetch failed')
    }
    store.start()
  }
  const { file, blob, sha256 } = photoOf(600_000)
  await tabs[1].store.files.add(blob, { contract, nombre: 'tabs' })
  await until(() => tabs.every(({ store }) => store.files.progress[0]?.state === 'done'))
  t.ok(await has(sha256, file))
  t.equal(failures, 1)
  t.strictSame(tabs.map(({ network }) => network.sent.some(({ path }) => path.endsWith('/contenido/'))), [true, false])
})

t.test('an expired token is renewed within an upload', async (t) => {
  const { store, network } = await phoneOf()
  const { file, blob, sha256 } = photoOf(100_000)
  await store.files.add(blob, { contract, nombre: 'token' })
  let isRefused = false
  network.answer = async (request) => {
    if (request.method !== 'HEAD' || isRefused) return undefined
    isRefused = true
    return await fetch(new Request(request, { headers: { authorization: 'Bearer expired', 'tus-resumable': '1.0.0' } }))
  }
  await store.sync()
  t.ok(network.sent.some(({ path }) => path.endsWith('/api-token-refresh/')))
  t.ok(await has(sha256, file))
})

t.test('a file that is added without a user is not kept for the user who logs in meanwhile', async (t) => {
  const { store, obra } = await phoneOf()
  await obra.logOut()
  const { blob, file } = photoOf(1000)
  const arrayBuffer = async () => {
    await obra.logIn(director)
    return new Uint8Array(file).buffer
  }
  await t.rejects(store.files.add(Object.assign(blob, { arrayBuffer }), { contract, nombre: 'nobody' }), { code: 'not_authenticated' })
  if (obra.user === undefined) await obra.logIn(director)
  t.strictSame([await store.files.list(), await store.adjuntos.list({ nombre: 'nobody' })], [[], []])
})

t.test('the app can use its memory again after a call of add, whatever the view of it', async (t) => {
  const { store } = await phoneOf()
  const { file, sha256 } = photoOf(200_000)
  const views: Record<string, (memory: Buffer) => ArrayBufferView> = {
    Buffer: memory => memory,
    DataView: ({ buffer, byteOffset, byteLength }) => new DataView(buffer, byteOffset, byteLength),
    Uint16Array: ({ buffer, byteOffset, byteLength }) => new Uint16Array(buffer, byteOffset, byteLength / 2)
  }
  for (const [name, viewOf] of Object.entries(views)) {
    const memory = Buffer.alloc(file.length + 16).subarray(8, -8)
    file.copy(memory)
    const added = store.files.add(viewOf(memory) as Uint8Array, { contract, nombre: name, tipo: 'image/jpeg' })
    memory.fill(0)
    const { id } = await added
    t.match(await added, { bytes: 200_000, sha256 }, name)
    t.ok(Buffer.from(await (await store.files.get(id))?.arrayBuffer() as ArrayBuffer).equals(file), name)
  }
})

t.test('a hash that is not 32 bytes is an error, and no file is added', async (t) => {
  const wrong: Array<(bytes: Uint8Array) => unknown> = [
    bytes => sha256Of(Buffer.from(bytes)),
    bytes => new TextEncoder().encode(sha256Of(Buffer.from(bytes))),
    () => new ArrayBuffer(20)
  ]
  for (const hash of wrong) {
    const { store } = await phoneOf({ sha256: async bytes => hash(bytes) as ArrayBuffer })
    await t.rejects(store.files.add(photoOf(1000).blob, { contract, nombre: 'x' }), { name: 'TypeError', message: /32 bytes.+`sha256`/ })
    t.strictSame([store.files.progress, store.status.pending], [[], 0])
  }
})

t.test('mistakes of the app are errors', async (t) => {
  const { store } = await phoneOf()
  const other = await phone(t, server)
  const blob = new Blob(['x'], { type: 'image/jpeg' })
  await t.rejects(other.store.files.add(blob, { contract, nombre: 'x' }), { name: 'TypeError', message: /this store has no adjuntos/ })
  await t.rejects(store.files.add('x' as unknown as Blob, { contract, nombre: 'x' }), { name: 'TypeError', message: /needs a Blob/ })
  await t.rejects(store.files.add(blob, { contract }), { name: 'TypeError', message: /nombre/ })
  await t.rejects(store.files.add(blob, { contract, nombre: 'x', color: 'red' } as unknown as { contract: number }), { name: 'TypeError', message: /no field color/ })
  await t.rejects(store.files.add(new Blob([new Uint8Array(26_214_401)]), { contract, nombre: 'x' }), { code: 'too_large' })
  t.match(await store.files.add(new File(['x'], 'plano.pdf', { type: 'application/pdf' }), { contract }), { nombre: 'plano.pdf', tipo: 'application/pdf' })
  t.equal(store.files.progress.length, 1)
})

t.test('the files of a user in a company have 128 MiB on a device; files that the server has make room', async (t) => {
  const { store, network } = await phoneOf()
  await store.files.add(photoOf(10 * 2 ** 20).blob, { contract, nombre: 'done' })
  await store.sync()
  network.isOnline = false
  for (let index = 0; index < 5; index++) await store.files.add(photoOf(25 * 2 ** 20).blob, { contract, nombre: `lleno ${index}` })
  t.strictSame(store.files.progress.map(({ nombre }) => nombre), ['lleno 0', 'lleno 1', 'lleno 2', 'lleno 3', 'lleno 4'])
  await t.rejects(store.files.add(photoOf(3 * 2 ** 20 + 1).blob, { contract, nombre: 'uno más' }), { code: 'files_full' })
  t.equal((await store.adjuntos.list({ nombre: 'uno más' })).length, 0)
  await store.files.add(photoOf(3 * 2 ** 20).blob, { contract, nombre: 'justo' })
  t.equal(store.files.progress.length, 6)
})
