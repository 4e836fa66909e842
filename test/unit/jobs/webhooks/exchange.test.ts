import { request as overHttp } from 'node:http'
import t, { type Test } from 'tap'
import { exchange } from '../../../../src/jobs/webhooks/exchange.ts'
import { rawReceiver } from '../../../support/receiver.ts'

/** A request to a receiver that answers with that text and keeps the connection open. */
async function requestTo (t: Test, text: string) {
  const { port, connections } = await rawReceiver(t, socket => socket.once('data', () => socket.write(text)))
  return { request: overHttp({ host: '127.0.0.1', port, method: 'POST', agent: false }), connections }
}

t.test('a signal ends the wait for the rest of a body, and the answer counts', async (t) => {
  const { request, connections } = await requestTo(t, 'HTTP/1.1 200 OK\r\ncontent-length: 100\r\nx-a: b\r\n\r\nslow')
  const stop = new AbortController()
  request.on('response', response => response.once('data', () => setImmediate(() => stop.abort())))
  t.match(await exchange(request, '{}', stop.signal), { status: 200, headers: { 'x-a': 'b' }, body: 'slow' })
  t.ok(request.destroyed)
  t.equal(connections.length, 1)
})

t.test('a signal ends the wait for headers with its reason', async (t) => {
  const { request } = await requestTo(t, 'HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 200')
  const stop = new AbortController()
  request.on('information', () => setImmediate(() => stop.abort('stop')))
  await t.rejects(exchange(request, '{}', stop.signal).catch(reason => { throw new Error(reason) }), { message: 'stop' })
  t.ok(request.destroyed)
})
