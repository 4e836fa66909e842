import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import t from 'tap'
import { createObraClient } from 'obra/client'
import { memoryStorage, openStore } from 'obra/client/sync'
import { either, reasonOf, within } from '../../../src/client/aborts.ts'
import { until } from '../../support/until.ts'

setFlagsFromString('--expose-gc')
const gc = runInNewContext('gc') as () => void

/** Collects garbage until a signal that nothing else holds would be gone. */
async function collect (): Promise<void> {
  for (let round = 0; round < 5; round++) {
    gc()
    await sleep(5)
  }
}

/** A service that never ends an answer. It begins the answers of some paths. */
const requests: string[] = []
const silent = createServer(({ url = '' }, response) => {
  requests.push(url)
  if (url.startsWith('/api/v1/contracts')) response.writeHead(200, { 'content-type': 'application/json' }).write('{"results":[')
  if (url.startsWith('/api/v1/estimates')) response.writeHead(503, { 'retry-after': '20' }).end()
})
await new Promise<void>(resolve => silent.listen(0, '127.0.0.1', resolve))
t.teardown(() => {
  silent.closeAllConnections()
  silent.close()
})
const baseUrl = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`
const tokens = { access: `e30.${btoa('{"user_id":1,"exp":9999999999}')}.x`, refresh: 'r' }

/** Aborts a request when it has reached the service, after a collection. */
async function aborted (path: string, send: (signal: AbortSignal) => Promise<unknown>): Promise<unknown> {
  const before = requests.length
  const controller = new AbortController()
  const result = send(controller.signal).then(() => 'resolved', (error: Error) => error)
  await until(() => requests.slice(before).some(url => url.startsWith(path)))
  await collect()
  controller.abort(new Error('the user left'))
  return await result
}

t.test('an abort ends a request after a garbage collection', async (t) => {
  const obra = createObraClient({ baseUrl, tokens })
  t.match(await aborted('/api/v1/me/', async signal => await obra.GET('/api/v1/me/', { signal })), { message: 'the user left' }, 'before the answer')
  t.match(await aborted('/api/v1/contracts/', async signal => await obra.GET('/api/v1/contracts/', { signal })), { message: 'the user left' }, 'in its body')
  t.match(await aborted('/api/v1/estimates/', async signal => await obra.GET('/api/v1/estimates/', { signal })), { message: 'the user left' }, 'while it waits for a repetition')
  t.match(await aborted('/api/v1/changes/', async signal => await obra.GET('/api/v1/changes/', { signal, fetch: obra.fetchAs(1) })), { message: 'the user left' }, 'sent as one user')
  t.match(await aborted('/api/v1/contracts/', async signal => await obra.all('/api/v1/contracts/', { signal }).next()), { message: 'the user left' }, 'of all pages')
  const loggingIn = createObraClient({ baseUrl, email: 'a@example.com', password: 'x' })
  t.match(await aborted('/api/v1/api-token-auth/', async signal => await loggingIn.GET('/api/v1/me/', { signal })), { message: 'the user left' }, 'during a log-in')
})

t.test('an abort ends a request of an own fetch that does not know the signal', async (t) => {
  let calls = 0
  const obra = createObraClient({
    baseUrl,
    tokens,
    fetch: async () => {
      calls += 1
      return await new Promise(() => {})
    }
  })
  const controller = new AbortController()
  const result = t.rejects(obra.GET('/api/v1/me/', { signal: controller.signal }), { name: 'AbortError' })
  await until(() => calls > 0)
  controller.abort()
  await result
})

t.test('a request whose signal has aborted is not sent, and leaves no rejection unhandled', async (t) => {
  let calls = 0
  const obra = createObraClient({
    baseUrl,
    tokens,
    fetch: async () => {
      calls += 1
      throw new TypeError('fetch failed')
    }
  })
  await t.rejects(obra.GET('/api/v1/me/', { signal: AbortSignal.abort(new Error('too late')) }), { message: 'too late' })
  const controller = new AbortController()
  const result = t.rejects(obra.GET('/api/v1/me/', { signal: controller.signal }), { message: 'the user left' })
  controller.abort(new Error('the user left'))
  await result
  await sleep(5)
  t.equal(calls, 0)
})

t.test('a timeout ends a request after a garbage collection', async (t) => {
  const obra = createObraClient({ baseUrl, tokens })
  const result = t.rejects(obra.GET('/api/v1/me/', { signal: AbortSignal.timeout(500) }), { name: 'TimeoutError' })
  await collect()
  await result
})

t.test('stop ends a started store after a garbage collection, and close a synchronization', async (t) => {
  const storage = memoryStorage()
  await storage.transaction('write', async ({ write }) => await write([['company/1', 1]]))
  const store = await openStore({ client: createObraClient({ baseUrl, tokens }), storage })
  const before = requests.length
  store.start()
  await until(() => ['/api/v1/changes/events/', '/api/v1/changes/'].every(path => requests.slice(before).includes(path)))
  await collect()
  await store.stop()
  const sync = t.rejects(store.sync(), { name: 'AbortError' })
  const started = requests.length
  await until(() => requests.length > started)
  await collect()
  await store.close()
  await sync
})

t.test('a timeout of the caller ends a synchronization after a garbage collection', async (t) => {
  const storage = memoryStorage()
  await storage.transaction('write', async ({ write }) => await write([['company/1', 1]]))
  const store = await openStore({ client: createObraClient({ baseUrl, tokens }), storage })
  const result = t.rejects(store.sync({ signal: AbortSignal.timeout(500) }), { name: 'TimeoutError' })
  await collect()
  await result
  await store.close()
})

t.test('a signal without a reason still tells why it has aborted', async (t) => {
  const { prototype, any } = AbortSignal
  const reason = Object.getOwnPropertyDescriptor(prototype, 'reason') as PropertyDescriptor
  // As in React Native.
  Object.defineProperty(prototype, 'reason', { ...reason, get: () => undefined })
  Object.assign(AbortSignal, { any: undefined })
  t.teardown(() => {
    Object.defineProperty(prototype, 'reason', reason)
    Object.assign(AbortSignal, { any })
  })
  const controller = new AbortController()
  const timed = within(1, controller.signal)
  const followed = either(timed, controller.signal)
  await until(() => followed.signal.aborted)
  t.match(reasonOf(followed.signal), { name: 'TimeoutError' })
  controller.abort()
  t.match(reasonOf(controller.signal), { name: 'AbortError' })
})
