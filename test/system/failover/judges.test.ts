import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import t, { type Test } from 'tap'
import { ReportingClient } from './client.ts'
import { Log } from './log.ts'
import { Report } from './report.ts'

/** A client of a server that answers every request in this way. */
async function clientOf (t: Test, answer: (response: ServerResponse) => void) {
  const server = createServer((_request, response) => answer(response))
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const report = new Report()
  const client = new ReportingClient([`http://127.0.0.1:${(server.address() as AddressInfo).port}`], 'token', report, () => 0, () => false)
  t.teardown(() => {
    client.close()
    server.close()
  })
  return { client, report }
}

t.test('unexpected statuses and lost connections are findings; a 503 with Retry-After is not', async (t) => {
  for (const [status, method, headers, finding] of [
    [500, 'PATCH', { 'x-request-id': 'abc-1' }, /PATCH contracts\/: 500 broken, request abc-1$/],
    [404, 'GET', {}, /GET contracts\/: 404/],
    [412, 'GET', {}, /GET contracts\/: 412/],
    [503, 'GET', {}, /503 without Retry-After/],
    [503, 'GET', { 'retry-after': '1' }, undefined],
    [412, 'PATCH', {}, undefined],
    [200, 'PATCH', {}, undefined]
  ] as const) {
    const { client, report } = await clientOf(t, response => response.writeHead(status, headers).end('broken'))
    await client.once(method, 'contracts/')
    if (finding === undefined) t.strictSame(report.findings, [], `${status}`)
    else t.match(report.findings, [finding])
    t.equal(report.acknowledged.length, status === 200 ? 1 : 0)
  }
  const { client, report } = await clientOf(t, response => response.destroy())
  await client.once('GET', 'contracts/')
  t.match(report.findings, [/GET contracts\/: no answer after \d+ ms/])
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

t.test('a finding gets the error that the server has logged for its request', async (t) => {
  const log = new Log()
  const read = log.reader()
  read('{"level":50,"reqId":"abc-1","err":{"code":"XX000","stack":"Error: what')
  read(' happened"}}\n{"level":40}\nno JSON\n')
  t.equal(log.explain('PATCH: 500, request abc-1'), 'PATCH: 500, request abc-1: XX000 Error: what happened')
  t.equal(log.explain('PATCH: 500, request abc-2'), 'PATCH: 500, request abc-2')
})
