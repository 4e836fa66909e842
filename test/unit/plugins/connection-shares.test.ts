import { connect, type AddressInfo } from 'node:net'
import t, { type Test } from 'tap'
import type { Config } from '../../../src/config.ts'
import { build, type Client } from '../../support/helper.ts'
import { until } from '../../support/until.ts'

async function listening (t: Test, config: Partial<Config>) {
  const server = await build(t, { RATE_LIMIT: 'off', ...config })
  const origin = await server.app.listen({ host: '127.0.0.1', port: 0 })
  /** Sends a request. `end` disconnects. */
  const request = async ({ access }: Client, path: string, headers: Record<string, string> = {}) => {
    const client = new AbortController()
    t.teardown(() => client.abort())
    const response = await fetch(`${origin}/api/v1/${path}`, { headers: { authorization: `Bearer ${access}`, ...headers }, signal: client.signal })
    return { status: response.status, after: response.headers.get('retry-after'), json: async () => await response.json() as { code: string, detail: string }, end: () => client.abort() }
  }
  return {
    ...server,
    request,
    stream: async (client: Client, language = 'en') => await request(client, 'changes/events/', { accept: 'text/event-stream', 'accept-language': language }),
    /** Begins a request that waits for changes. @returns its answer, or undefined while it waits */
    held: (client: Client, cursor: string) => {
      const wait: { answer?: Awaited<ReturnType<typeof request>> } = {}
      request(client, `changes/?cursor=${cursor}`, { prefer: 'wait=30' }).then((answer) => { wait.answer = answer }, () => {})
      return wait
    }
  }
}

async function cursorOf ({ get }: Client): Promise<string> {
  let page = (await get('changes/?page_size=1000')).json()
  while (page.has_more) page = (await get(`changes/?cursor=${page.cursor}`)).json()
  return page.cursor
}

t.test('streams and waiting requests of a user count together', async (t) => {
  const { as, stream, held, request, psql } = await listening(t, { WAITS_PER_USER: 3 })
  const [director, coordinator] = [await as('director@demo.example'), await as('coordinador@demo.example')]
  const cursor = await cursorOf(director)
  const first = await stream(director)
  t.equal(first.status, 200)
  t.equal((await stream(director)).status, 200)
  const [one, two] = [held(director, cursor), held(director, cursor)]
  await until(() => one.answer !== undefined || two.answer !== undefined)
  const refused = one.answer ?? two.answer
  t.match([refused?.status, refused?.after, await refused?.json()], [429, '10', { code: 'throttled', detail: 'You have 3 open event streams and waiting requests, the most of one user. Close one, or try again in 10 seconds.' }])
  const spanish = await stream(director, 'es')
  t.match([spanish.status, await spanish.json()], [429, { code: 'throttled', detail: /^Usted tiene 3 flujos de eventos/ }])

  t.equal((await request(director, `changes/?cursor=${cursor}`)).status, 200, 'a request without a wait')
  t.equal((await stream(coordinator)).status, 200, 'another user of the company')
  first.end()
  await until(async () => (await stream(director)).status === 200)
  t.equal((await stream(director)).status, 429)
  await psql("update contracts set descripcion = 'changed' where company_id = 1 and id = (select min(id) from contracts where company_id = 1)")
  await until(() => one.answer !== undefined && two.answer !== undefined)
  t.strictSame([one.answer?.status, two.answer?.status].sort(), [200, 429])
  t.equal((await stream(director)).status, 200, 'an answered request waits no more')
})

t.test('waits use four fifths of the share of a customer, and other requests the rest', async (t) => {
  const { as, stream, request } = await listening(t, { MAX_CONNECTIONS: 20, CUSTOMER_CONNECTIONS_PERCENT: 25 })
  const [director, coordinator, other] = [await as('director@demo.example'), await as('coordinador@demo.example'), await as('director@otra.example')]
  for (const user of [director, coordinator, director, coordinator]) t.equal((await stream(user)).status, 200)
  const refused = await stream(director)
  t.match([refused.status, refused.after, await refused.json()], [429, '10', { code: 'throttled', detail: 'The users of your customer have 4 open event streams and waiting requests, the most of one customer. Ask without waiting, or try again in 10 seconds.' }])
  t.equal((await request(director, 'contracts/')).status, 200)
  t.equal((await stream(other)).status, 200, 'another customer')
})

t.test('requests in progress of a customer have a limit, also those whose body is slow', async (t) => {
  const { app, as, request } = await listening(t, { MAX_CONNECTIONS: 8, CUSTOMER_CONNECTIONS_PERCENT: 25 })
  const [director, other] = [await as('director@demo.example'), await as('director@otra.example')]
  const slow = Array.from({ length: 2 }, () => {
    const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1')
    t.teardown(() => socket.destroy())
    socket.write(`POST /api/v1/contracts/ HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${director.access}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{`)
    return socket
  })
  await until(async () => (await request(director, 'contracts/')).status === 429)
  const refused = await request(director, 'contracts/')
  t.match([refused.status, refused.after, await refused.json()], [429, '1', { code: 'throttled', detail: 'The users of your customer have 2 requests in progress, the most of one customer. Try again in 1 second.' }])
  t.equal((await request(other, 'contracts/')).status, 200, 'another customer')
  slow[0]?.destroy()
  await until(async () => (await request(director, 'contracts/')).status === 200)
})
