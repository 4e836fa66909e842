import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import t from 'tap'
import { build, buildOn } from '../../support/helper.ts'
import { invalid } from '../../support/invalid.ts'
import { prepareRequest } from '../../../src/server/prepare-request.ts'

const { app, as, database } = await build(t)
const director = await as('director@demo.example')

/** A header of 15 KB with as many parts as possible. */
const many = (part: string, separator = ',') => Array(Math.floor(15_000 / (part.length + 1))).fill(part).join(separator)

const ignored = {
  accept: many('*/*'),
  'accept-language': many('es'),
  'accept-encoding': many('gzip'),
  'if-none-match': many('"a"'),
  prefer: many('wait=30'),
  range: `bytes=${many('0-0')}`,
  tracestate: many('a=b'),
  baggage: many('a=b'),
  traceparent: many('a', '-')
}
const refused = {
  Authorization: many('Bearer', ' '),
  'Content-Type': `application/json${many(';a=b', '')}`,
  'If-Match': many('"1.1.1.1.1"'),
  'Content-Encoding': many('identity'),
  'Last-Event-ID': many('a', '.')
}

t.test('a preference with thousands of parts counts as absent, before anything parses it', async (t) => {
  for (const [name, value] of Object.entries(ignored)) {
    const request = { url: '/', headers: { host: 'a', [name]: value } } as unknown as IncomingMessage
    prepareRequest(request)
    t.strictSame(request.headers, { host: 'a' }, name)
    const answer = await director.get('contracts/?page_size=1', { [name]: value })
    t.strictSame([answer.statusCode, answer.headers['content-language'], answer.headers['content-encoding']], [200, 'en', undefined], name)
  }
  const kept = { accept: 'text/html;q=0.9, */*;q=0.1', 'accept-language': Array(50).fill('es;q=0.9').join(), range: 'bytes=0-1' }
  const request = { url: '/', headers: { ...kept } } as unknown as IncomingMessage
  prepareRequest(request)
  t.strictSame(request.headers, kept)
})

t.test('with an If-Range that is too long, the whole file is sent', async (t) => {
  const request = { url: '/', headers: { range: 'bytes=0-1', 'if-range': many('a') } } as unknown as IncomingMessage
  prepareRequest(request)
  t.equal(request.headers.range, undefined)
})

t.test('a header that cannot be ignored is refused by name', async (t) => {
  for (const [name, value] of Object.entries(refused)) {
    const answer = await app.inject({ url: '/api/v1/contracts/', headers: { [name]: value } })
    t.equal(answer.statusCode, 400, name)
    t.strictSame(answer.json(), invalid({ [name]: ['Ensure this header has no more than 4096 characters and 100 values.'] }), name)
  }
  const [name, value] = ['If-Match', Array(101).fill('"1"').join()]
  const answer = await director.send('DELETE', 'contracts/1/', undefined, { [name]: value })
  t.strictSame(answer.json(), invalid({ [name]: ['Ensure this header has no more than 4096 characters and 100 values.'] }))
})

t.test('of X-Forwarded-For, the addresses of the nearest proxies are read', async (t) => {
  const addresses = Array.from({ length: 2000 }, (_, index) => `10.0.${index >> 8}.${index & 255}`)
  const request = { url: '/', headers: { 'x-forwarded-for': addresses.join() } } as unknown as IncomingMessage
  prepareRequest(request)
  t.equal(request.headers['x-forwarded-for'], addresses.slice(-32).join())
  const short = { url: '/', headers: { 'x-forwarded-for': '10.0.0.1, 10.0.0.2' } } as unknown as IncomingMessage
  prepareRequest(short)
  t.equal(short.headers['x-forwarded-for'], '10.0.0.1, 10.0.0.2')
})

t.test('a query of more than 200 parameters is refused before it is parsed', async (t) => {
  for (const query of [many('a', '&'), many('a=1', '&'), '&'.repeat(15_000), many('%zz', '&')]) {
    t.equal(prepareRequest({ url: `/x?${query}`, headers: {} } as unknown as IncomingMessage), '/x')
    const { statusCode, body } = await director.get(`contracts/?${query}`)
    t.equal(statusCode, 400)
    t.strictSame(JSON.parse(body), invalid({ non_field_errors: ['The URL has more than 200 query parameters.'] }))
  }
  const unknown = await director.get(`contracts/?${Array.from({ length: 200 }, (_, index) => `a${index}=1`).join('&')}`)
  t.equal(Object.keys(unknown.json().errors).length, 200)
})

t.test('refusals before authorization count by address, but health probes never', async (t) => {
  const limited = await buildOn(t, { ...database, close: async () => {} }, { UNAUTHENTICATED_REQUESTS_PER_MINUTE: 2, RATE_LIMIT: 'on' })
  const statuses = []
  for (const [url, headers] of [['/api/v1/contracts/?a=%zz'], ['/nowhere'], ['/api/v1/contracts/', { accept: 'image/png' }], ['/nowhere'], ['/health/live/'], ['/health/live/?a=%zz']] as Array<[string, Record<string, string>?]>) {
    statuses.push((await limited.inject({ url, headers })).statusCode)
  }
  t.strictSame(statuses, [400, 404, 429, 429, 200, 400])
})

t.test('a request with two Host headers is refused, in the form of other errors', async (t) => {
  await app.listen({ port: 0, host: '127.0.0.1' })
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1')
  await once(socket, 'connect')
  for (const hosts of ['Host: a\r\nhost: b', 'Host: a\r\nHost: a']) socket.write(`GET /health/live/ HTTP/1.1\r\n${hosts}\r\n\r\n`)
  socket.write('GET /health/live/ HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n')
  const answers = (await text(socket)).split(/(?=HTTP\/1\.1 )/)
  t.strictSame(answers.map(answer => answer.slice(9, 12)), ['400', '400', '200'])
  t.strictSame(JSON.parse(answers[0].split('\r\n\r\n')[1]), invalid({ Host: ['This header may be given only once.'] }))
})
