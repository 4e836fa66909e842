import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as timer } from 'node:timers/promises'
import { syncResources } from '../../src/cli/client-types.ts'
import { loadConfig } from '../../src/config.ts'
import { demoPassword } from '../../src/domain/demo/data.ts'
import { buildServer } from '../../src/server/fastify.ts'
import { openAsOwner, openDatabase } from '../../src/server/open-database.ts'

/** Uses the fourth resource of a copy of the service, in which it is registered. Prints what it finds as JSON. */
const config = { ...loadConfig(process.env), JWT_SECRET: 'a secret of the tests, 32 bytes or more', WEBHOOK_KEY: Buffer.alloc(32).toString('base64'), LOG_LEVEL: 'silent' as const }
const owned = await openAsOwner(config)
const differences = await owned.orm.schema.getUpdateSchemaSQL({ wrap: false })
await owned.close()
const app = await buildServer({ config, database: await openDatabase(config, 'refuse') })
await app.listen({ host: '127.0.0.1', port: 0 })

async function as (email: string) {
  const log = await app.inject({ method: 'POST', url: '/api/v1/api-token-auth/', payload: { email, password: demoPassword } })
  return async (method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS', url: string, payload?: object, headers: Record<string, string> = {}) =>
    await app.inject({ method, url: `/api/v1/${url}`, headers: { authorization: `Bearer ${log.json().access}`, ...headers }, ...payload === undefined ? {} : { payload } })
}
const send = await as('director@demo.example')
const stranger = await as('director@otra.example')

const receiver = createServer((request, response) => {
  request.setEncoding('utf8').on('data', (text: string) => received.resolve(JSON.parse(text))).on('end', () => response.end())
}).listen(0, '127.0.0.1')
const received = Promise.withResolvers<unknown>()
await once(receiver, 'listening')
const hook = await send('POST', 'webhooks/', { url: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`, events: ['almacenes.created'] })

const key = { 'idempotency-key': 'once' }
const first = { clave: ' NORTE-1', contract: 'ON-2026-001', external_id: 'w-1' }
const made = await send('POST', 'almacenes/', first, key)
const again = await send('POST', 'almacenes/', first, key)
const path = `almacenes/${made.json().id}/`
const bulk = await send('POST', 'almacenes/bulk/', { items: [{ clave: 'NORTE-1', external_id: 'w-1', direccion: 'Av. Juárez 10' }, { clave: 'SUR-1', external_id: 'w-2' }], upsert: 'external_id' })
const list = await send('GET', 'almacenes/?search=juarez&fields=clave')
const unchanged = await send('GET', 'almacenes/?search=juarez&fields=clave', undefined, { 'if-none-match': String(list.headers['etag']) })
const wrong = await send('PATCH', path, { clave: 'SUR-1', contract: 99_999, foo: 1 })
const mutation = await send('POST', 'mutations/', {
  device: '6128396f-c09b-4ec6-8699-43c5f7e3b230', mutations: [{ id: 1, op: 'create', resource: 'almacenes', ref: 'a', body: { clave: 'OESTE-1' } }, { id: 2, op: 'update', resource: 'almacenes', record: { ref: 'a' }, body: { clave: 'OESTE-2' } }]
})
const feed = (await send('GET', 'changes/?resources=almacenes')).json()
const document = await app.openapi()
const contract = (await send('GET', 'contracts/?folio=ON-2026-001')).json().results[0].id
const protectedBy = async (language: string) => (await send('DELETE', `contracts/${contract}/`, undefined, { 'accept-language': language })).json().detail
const found = {
  differences,
  made: [made.statusCode, made.json()],
  replayed: [again.headers['idempotency-replayed'], again.body === made.body],
  bulk: [bulk.statusCode, bulk.json()],
  list: list.json(),
  notModified: unchanged.statusCode,
  filtered: (await send('GET', `almacenes/?contract=${contract}`)).json().count,
  wrong: [wrong.statusCode, Object.keys(wrong.json().errors).sort()],
  changed: (await send('PATCH', path, { clave: 'N-1' }, { 'if-match': String(made.headers['etag']) })).statusCode,
  allowed: (await send('OPTIONS', path)).headers['allow'],
  strangers: await Promise.all((['GET', 'PUT', 'PATCH', 'DELETE'] as const).map(async method => (await stranger(method, path, method === 'GET' ? undefined : { clave: 'x' })).statusCode)),
  hidden: (await stranger('GET', 'almacenes/')).json().count,
  mutations: mutation.json().results.map(({ status }: { status: number }) => status),
  feed: feed.changes.map(({ resource, record }: { resource: string, record: { clave: string } }) => `${resource} ${record?.clave}`),
  protected: [await protectedBy('en'), await protectedBy('es')],
  tag: document.tags?.find(({ name }) => name === 'almacenes'),
  operations: Object.keys(document.paths?.['/api/v1/almacenes/{id}/'] ?? {}),
  client: / almacenes: \{\s+fields: \['clave',/.test(syncResources()),
  hook: hook.statusCode,
  delivered: await Promise.race([received.promise, timer(20_000, 'nothing', { ref: false })]),
  removed: (await send('DELETE', path)).statusCode,
  left: (await send('GET', 'almacenes/')).json().count
}
process.stdout.write(JSON.stringify(found))
receiver.close()
await app.close()
