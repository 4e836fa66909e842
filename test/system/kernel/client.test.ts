import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import t, { type Test } from 'tap'
import { Client, exchangeOver } from './client.ts'
import { Report } from './report.ts'

/** A client of a server that answers every request in this way. */
async function clientOf (t: Test, answer: (response: ServerResponse) => void) {
  const server = createServer((_request, response) => answer(response))
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  const report = new Report()
  const exchange = exchangeOver([`http://127.0.0.1:${(server.address() as AddressInfo).port}`], () => 0)
  const { signal: abandoned } = new AbortController()
  return { client: new Client({ exchange, token: 'token', report, random: () => 0, patience: 1000, abandoned }), report }
}

t.test('a 500 and a status that a request may not get are errors; a 503 with Retry-After is not', async (t) => {
  for (const [status, method, headers, error] of [
    [500, 'PATCH', { 'x-request-id': 'abc-1' }, /PATCH contracts\/: 500 broken, request abc-1$/],
    [503, 'GET', {}, /503 without Retry-After/],
    [503, 'GET', { 'retry-after': '1' }, undefined],
    [412, 'PATCH', {}, undefined],
    [200, 'PATCH', {}, undefined]
  ] as const) {
    const { client, report } = await clientOf(t, response => response.writeHead(status, headers).end('broken'))
    if (error === undefined) await client.once(method, 'contracts/')
    else await t.rejects(client.once(method, 'contracts/'), { message: error })
    t.equal(report.acknowledged.length, status === 200 ? 1 : 0)
  }
  const { client } = await clientOf(t, response => response.writeHead(404).end('{}'))
  await t.rejects(client.surely('GET', 'contracts/', { codes: [200] }), { message: /GET contracts\/: 404/ })
})

t.test('a lost connection is a finding, unless the server is killed', async (t) => {
  const { client, report } = await clientOf(t, response => response.destroy())
  await client.once('GET', 'contracts/')
  t.match(report.findings, [/GET contracts\/: no answer after \d+ ms/])
  t.equal(report.unanswered, 1)
})

t.test('an answer that takes too long is an error', async (t) => {
  const { client } = await clientOf(t, () => {})
  await t.rejects(client.once('GET', 'contracts/'), { message: 'GET contracts/: no answer within 1000 ms' })
})

t.test('an outage is the longest time between acknowledgements, also one that has not ended', async (t) => {
  const report = new Report()
  const now = performance.now()
  report.acknowledged.push({ sent: 0, at: now - 9000 }, { sent: 0, at: now - 8000 }, { sent: 0, at: now - 3000 }, { sent: 0, at: now - 10 })
  t.equal(report.outageSince(now - 7900), 5000)
  t.equal(report.outageSince(now - 5000), 5000, 'from the acknowledgement before')
  report.acknowledged.length = 2
  t.ok(report.outageSince(now - 7900) >= 8000)
})
