import { connect } from 'node:net'
import { setImmediate as turn } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'

const lines = (...all: string[]) => `${all.join('\r\n')}\r\n\r\n`
const host = 'Host: obra.example'
const smuggled = lines('GET /smuggled HTTP/1.1', host)
const chunked = 'Transfer-Encoding: chunked'
const post = 'POST /api/v1/api-token-auth/ HTTP/1.1'
const json = 'Content-Type: application/json'
const after = (head: string, body: string) => head + body

/** Malformed requests by name: the bytes, and for each expected answer the permitted statuses. */
export const malformed: Record<string, [bytes: string | Buffer, ...answers: number[][]]> = {
  'a length and chunks, the chunks end first': [after(lines(post, host, json, `Content-Length: ${5 + smuggled.length}`, chunked), `0\r\n\r\n${smuggled}`), [400]],
  'chunks and a length, the length ends first': [after(lines(post, host, json, chunked, 'Content-Length: 4'), `5c\r\n${smuggled}\r\n0\r\n\r\n`), [400]],
  'chunks, spelt with a blank': [after(lines(post, host, 'Transfer-Encoding : chunked', 'Content-Length: 5'), `0\r\n\r\n${smuggled}`), [400]],
  'chunks, spelt with a vertical tab': [after(lines(post, host, 'Transfer-Encoding:\vchunked', 'Content-Length: 5'), `0\r\n\r\n${smuggled}`), [400]],
  'chunks, and identity': [after(lines(post, host, 'Transfer-Encoding: chunked, identity'), `0\r\n\r\n${smuggled}`), [400]],
  'chunks twice, the second unknown': [after(lines(post, host, chunked, 'Transfer-Encoding: x'), `0\r\n\r\n${smuggled}`), [400]],
  'chunks of an unknown kind, with a length': [after(lines(post, host, 'Transfer-Encoding: xchunked', 'Content-Length: 3'), `0\r\n\r\n${smuggled}`), [400]],
  'chunks in HTTP/1.0, with a length': [after(lines('POST /api/v1/api-token-auth/ HTTP/1.0', chunked, 'Content-Length: 3'), `0\r\n\r\n${smuggled}`), [400]],
  'two lengths': [after(lines(post, host, json, 'Content-Length: 2', 'Content-Length: 50'), `{}${smuggled}`), [400]],
  'two lengths in one': [after(lines(post, host, json, 'Content-Length: 2, 50'), `{}${smuggled}`), [400]],
  'a length with a sign': [after(lines(post, host, json, 'Content-Length: +2'), `{}${smuggled}`), [400]],
  'a negative length': [after(lines(post, host, json, 'Content-Length: -2'), `{}${smuggled}`), [400]],
  'a length in hexadecimal': [after(lines(post, host, json, 'Content-Length: 0x2'), `{}${smuggled}`), [400]],
  'a length too large for a number': [after(lines(post, host, json, `Content-Length: ${'9'.repeat(30)}`), '{}'), [400]],
  'a length beyond the limit, without a body': [lines(post, host, json, 'Content-Length: 1073741824'), [413]],
  'a length that is too long': [after(lines(post, host, json, 'Content-Length: 500'), '{}'), [400]],
  'a length that is too short': [after(lines(post, host, json, 'Content-Length: 1'), '{}GARBAGE\r\n\r\n'), [400]],
  'a chunk longer than its size': [after(lines(post, host, json, chunked), `1\r\n{}${smuggled}`), [400]],
  'a chunk of a size too large for a number': [after(lines(post, host, json, chunked), 'ffffffffffffffffff\r\n{}\r\n0\r\n\r\n'), [400]],
  'a chunk of a negative size': [after(lines(post, host, json, chunked), '-1\r\n{}\r\n0\r\n\r\n'), [400]],
  'an extension of 100 KB on a chunk': [after(lines(post, host, json, chunked), `2;${'x'.repeat(100_000)}\r\n{}\r\n0\r\n\r\n`), [400, 413]],
  'chunks that never end': [after(lines(post, host, json, chunked), '2\r\n{}\r\n'), [400]],
  'a bare line feed after a header': [`GET /health/live/ HTTP/1.1\n${host}\n\n${smuggled}`, [400]],
  'a bare carriage return in a header': [`GET /health/live/ HTTP/1.1\r\n${host}\r\nX: a\rY: b\r\n\r\n`, [400]],
  'a folded header': [`GET /health/live/ HTTP/1.1\r\n${host}\r\nX: a\r\n Y: b\r\n\r\n`, [400, 200]],
  'NUL in a header': [lines('GET /health/live/ HTTP/1.1', host, 'X: a\0b'), [400]],
  'NUL in the address': [lines('GET /health\0/live/ HTTP/1.1', host), [400]],
  'a blank before the colon': [lines('GET /health/live/ HTTP/1.1', 'Host : obra.example'), [400]],
  'a header without a name': [lines('GET /health/live/ HTTP/1.1', host, ': a'), [400]],
  'no host': [lines('GET /health/live/ HTTP/1.1'), [400]],
  'a header of 100 KB': [lines('GET /health/live/ HTTP/1.1', host, `X: ${'x'.repeat(100_000)}`), [431]],
  'a name of 100 KB': [lines('GET /health/live/ HTTP/1.1', host, `${'x'.repeat(100_000)}: x`), [431]],
  'an address of 100 KB': [lines(`GET /${'x'.repeat(100_000)} HTTP/1.1`, host), [431]],
  '5,000 headers': [lines('GET /health/live/ HTTP/1.1', host, ...Array.from({ length: 5000 }, (_, index) => `X-${index}: x`)), [431]],
  'an absolute target': [lines('GET http://elsewhere.example/smuggled-not HTTP/1.1', host), [404]],
  CONNECT: [lines('CONNECT 127.0.0.1:5432 HTTP/1.1', host)],
  TRACE: [lines('TRACE /api/v1/contracts/ HTTP/1.1', host), [401, 404, 405]],
  'an unknown method': [lines('SMUGGLE / HTTP/1.1', host), [400]],
  'a method in lower case': [lines('get / HTTP/1.1', host), [400]],
  'OPTIONS *': [lines('OPTIONS * HTTP/1.1', host), [404, 400, 204]],
  'an unknown version': [lines('GET / HTTP/9.9', host), [400]],
  'HTTP/0.9': ['GET /\r\n\r\n', [400, 404]],
  'the preface of HTTP/2': ['PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', [400]],
  TLS: [Buffer.from('16030100c8010000c40303', 'hex'), [400]],
  'an upgrade to HTTP/2': [lines('GET /health/live/ HTTP/1.1', host, 'Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c', 'HTTP2-Settings: AAMAAABkAAQAAP__'), [200]],
  'an upgrade to a WebSocket': [lines('GET /api/v1/contracts/ HTTP/1.1', host, 'Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Key: x', 'Sec-WebSocket-Version: 13'), [401]],
  'an unknown expectation': [after(lines(post, host, json, 'Expect: 200-ok', 'Content-Length: 2'), '{}'), [417]],
  'arbitrary bytes': [Buffer.from(Array.from({ length: 4096 }, (_, index) => (index * 7919) % 251)), [400]],
  nothing: ['']
}

/** Three valid requests in one write. */
export const pipelined = lines('GET /health/live/ HTTP/1.1', host) + after(lines(post, host, json, 'Content-Length: 2'), '{}') + lines('GET /nowhere/ HTTP/1.1', host, 'Connection: close')

/** Sends bytes to a listening server and ends. @param cuts ascending offsets at which the bytes are cut into pieces @returns everything received */
export async function sendRaw (app: FastifyInstance, bytes: string | Buffer, cuts: number[] = []): Promise<string> {
  const { port } = app.server.address() as { port: number }
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true, noDelay: true })
  const closed = new Promise(resolve => socket.once('close', resolve))
  let answers = ''
  socket.setEncoding('latin1').on('data', (text: string) => { answers += text })
  socket.on('error', () => {}) // after its answer the server may reset the connection
  socket.on('end', () => socket.destroy())
  const all = typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes
  for (const [index, cut] of [0, ...cuts].entries()) {
    socket.write(all.subarray(cut, cuts[index] ?? all.length))
    if (index < cuts.length) await turn()
  }
  socket.end()
  await closed
  return answers
}

/** The statuses of the answers received over a connection. An answer starts right after the body before it, without a line break. */
export function statusesOf (answers: string): number[] {
  return [...answers.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status))
}

/** Checks everything received over a connection: complete answers, no 5xx, only JSON with nosniff. @returns the first fault */
export function faultOf (answers: string): string | undefined {
  let rest = answers
  while (rest !== '') {
    const [head = '', ...body] = rest.split('\r\n\r\n')
    const [, status] = /^HTTP\/1\.1 (\d{3}) [^\r\n]+/.exec(head) ?? []
    if (status === undefined) return `not the start of an answer: ${rest.slice(0, 200)}`
    if (Number(status) >= 500) return rest.slice(0, 500)
    const type = /\r\ncontent-type: ([^\r\n]*)/i.exec(head)?.[1]
    // Node.js itself answers a missing Host and an unknown Expect, without a body.
    if (type !== undefined && !/\r\nx-content-type-options: nosniff(\r\n|$)/i.test(head)) return `without X-Content-Type-Options: nosniff: ${head}`
    if (type?.startsWith('application/json') === false) return `not as JSON: ${head}`
    const length = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0)
    rest = body.join('\r\n\r\n').slice(length).replace(/^0\r\n\r\n/, '')
  }
  return undefined
}
