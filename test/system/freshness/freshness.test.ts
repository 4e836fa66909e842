import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { LightMyRequestResponse } from 'fastify'
import t, { type Test } from 'tap'
import { demoPassword } from '../../../src/domain/demo/data.ts'
import { tokensOf } from '../../support/over-http.ts'
import { server } from '../../support/template.ts'
import { twoServers } from '../../support/two-servers.ts'
import { exchangeOver } from '../kernel/client.ts'
import { underLoad } from '../kernel/load.ts'
import type { Psql } from '../kernel/psql.ts'
import { sum } from '../kernel/report.ts'

const directors = ['director@demo.example', 'director@otra.example']

/** An answer of a broken server. */
type BrokenAnswer = Pick<LightMyRequestResponse, 'statusCode' | 'headers' | 'body'>
/** Answers a request as a broken server; `ask` requests the correct answer. */
type Broken = (ask: (headers: IncomingHttpHeaders) => Promise<LightMyRequestResponse>, url: string, headers: IncomingHttpHeaders) => Promise<BrokenAnswer>

t.test('freshness', async (t) => {
  const { app, origins, psql } = await twoServers(t)
  const tokens = await Promise.all(directors.map(async email => (await tokensOf(origins[0], email, demoPassword)).access))

  /** Reads through these servers during writes. */
  async function check (origins: string[], reads: number, writes: number) {
    const look = async <T>(work: (psql: Psql) => Promise<T>) => await work(psql)
    return await underLoad({ exchange: random => exchangeOver(origins, random), tokens, seed: 4, actors: 2, writes, psql, look }, async ({ report, reach }) => {
      await reach(() => sum(report.reads), reads)
    })
  }

  await t.test('after an acknowledged write no process answers with an older state', async (t) => {
    const atLeast = server === undefined ? 1500 : 3000

    const { report: { reads, writes, processes }, bad } = await check(origins, atLeast, 8)
    t.strictSame(bad, [])
    for (const kind of ['list 200', 'list 304', 'record 200', 'record 304', 'next page 200', 'next page 304', 'filter 200']) t.ok((reads.get(kind) ?? 0) > 0, kind)
    for (const kind of ['update', 'bulk upsert', 'psql update', 'update of the counterparty', 'create', 'bulk create', 'delete', 'psql delete']) t.ok((writes.get(kind) ?? 0) > 0, kind)
    t.equal(processes.size, origins.length)
  })

  /** What is found at a broken server. */
  async function violationsOf (t: Test, broken: Broken, methods = 'GET'): Promise<string> {
    const proxy = createServer(async (request, response) => {
      const { method, url = '', headers } = request
      const payload = await text(request)
      const ask = async (headers: IncomingHttpHeaders) => await app.inject({ method: method as 'GET', url, headers, payload })
      const { statusCode, headers: { etag = '', 'idempotency-replayed': replayed }, body } = methods.includes(method as string) ? await broken(ask, url, headers) : await ask(headers)
      const length = statusCode === 304 || statusCode === 204 ? {} : { 'content-length': Buffer.byteLength(body) }
      response.writeHead(statusCode, { etag, ...replayed === undefined ? {} : { 'idempotency-replayed': replayed }, ...length }).end(body)
    }).listen(0, '127.0.0.1')
    await once(proxy, 'listening')
    t.teardown(() => proxy.close())
    const { port } = proxy.address() as AddressInfo
    return (await check([`http://127.0.0.1:${port}`], 150, 60)).bad.join('\n')
  }

  await t.test('detects a server that answers from before a write, whatever its ETag', async (t) => {
    const remembered = new Map<string, string>()
    const violations = await violationsOf(t, async (ask, url, { 'if-none-match': _, ...headers }) => {
      const key = `${headers.authorization} ${url}`
      const { statusCode, headers: { etag }, body } = await ask(headers)
      if (!remembered.has(key)) remembered.set(key, body)
      return { statusCode, headers: { etag }, body: remembered.get(key) as string }
    })
    t.match(violations, /contract \d+ has \d+ after \d+ was acknowledged/)
  })

  await t.test('detects a server that answers 304 to any If-None-Match', async (t) => {
    const violations = await violationsOf(t, async (ask, _url, headers) =>
      headers['if-none-match'] === undefined ? await ask(headers) : { statusCode: 304, headers: { etag: headers['if-none-match'] }, body: '' })
    t.match(violations, / 304 .*: contract \d+ has \d+ after \d+ was acknowledged/)
  })

  await t.test("detects a server that returns another company's answers", async (t) => {
    const violations = await violationsOf(t, async (ask, url, headers) => await ask({ ...headers, ...url.includes('?ordering') && { authorization: `Bearer ${tokens[0]}` } }))
    t.match(violations, /contract \d+ is company \d+'s/)
  })

  await t.test('detects a server that forgets Idempotency-Keys', async (t) => {
    const violations = await violationsOf(t, async (ask, _url, { 'idempotency-key': _, ...headers }) => await ask(headers), 'POST')
    t.match(violations, /POST contracts\/: 400/)
  })

  await t.test('detects a server that ignores If-Match', async (t) => {
    const violations = await violationsOf(t, async (ask, _url, { 'if-match': _, ...headers }) => await ask(headers), 'PATCH')
    t.match(violations, /If-Match accepted/)
  })

  await t.test('detects a server that acknowledges a deletion without doing it', async (t) => {
    const violations = await violationsOf(t, async () => ({ statusCode: 204, headers: {}, body: '' }), 'DELETE')
    t.match(violations, /contract \d+ was deleted|never acknowledged, or twice: contracts \d+/)
  })

  await t.test('detects a server that executes mutations again', async (t) => {
    let made = 0
    const violations = await violationsOf(t, async (ask, url, headers) => {
      const answer = await ask(headers)
      return url.endsWith('mutations/') ? { ...answer, body: answer.body.replaceAll('"version":1', `"version":${++made}`) } : answer
    }, 'POST')
    t.match(violations, /mutations answered .* are answered .* again/)
  })
})
