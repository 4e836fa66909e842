import { once } from 'node:events'
import { connect } from 'node:net'
import { PassThrough } from 'node:stream'
import { finished } from 'node:stream/promises'
import { setImmediate as nextRound } from 'node:timers/promises'
import t from 'tap'
import { malformedRequest } from '../../../src/http/errors.ts'
import { discardBody, readBody } from '../../../src/http/request-body.ts'
import { build } from '../../support/helper.ts'

const KiB = 1024

t.test('a client gets the answer to a refused body after it has sent up to 1 MiB', async (t) => {
  const { app, as } = await build(t, { RATE_LIMIT: 'off' })
  const { access } = await as('director@demo.example')
  const port = Number(new URL(await app.listen({ port: 0, host: '127.0.0.1' })).port)
  const body = Buffer.alloc(900 * KiB, 'x')

  /** Sends a body whose last part follows after the server has read the first one. */
  const answerTo = async (headers: string, isChunked: boolean): Promise<string> => {
    const socket = connect(port, '127.0.0.1').setEncoding('utf8')
    const framing = isChunked ? 'Transfer-Encoding: chunked' : `Content-Length: ${body.length}`
    const part = (bytes: Buffer) => isChunked ? Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')]) : bytes
    const arrived = once(app.server, 'request')
    socket.write(`POST /api/v1/contracts/ HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${access}\r\n${headers}\r\n${framing}\r\n\r\n`)
    socket.write(part(body.subarray(0, 600 * KiB)))
    await arrived
    for (let round = 0; round < 50; round++) await nextRound()
    socket.write(part(body.subarray(600 * KiB)))
    if (isChunked) socket.write('0\r\n\r\n')
    return (await socket.toArray()).join('')
  }

  for (const isChunked of [false, true]) {
    for (const [headers, answer] of [
      ['Content-Type: multipart/form-data; boundary=x', /^HTTP\/1.1 415 .*"Unsupported media type /s], ['Content-Type: application/json; charset=latin1', /^HTTP\/1.1 415 .*"Unsupported charset /s],
      ['Content-Type: application/json\r\nContent-Encoding: gzip', /^HTTP\/1.1 415 .*"Unsupported encoding /s]
    ] as const) t.match(await answerTo(headers, isChunked), answer, headers)
  }
})

t.test('a refused body is read to its end, or up to 1 MiB', async (t) => {
  const isOver = async (promise: Promise<unknown>) => await Promise.race([promise.then(() => true, () => true), nextRound(false)])
  const refusals = [async (payload: PassThrough) => await discardBody(payload), async (payload: PassThrough) => await readBody(payload, 10), async (payload: PassThrough) => await readBody(payload, 10, '300000')]
  for (const refuse of refusals) {
    const payload = new PassThrough()
    const refusal = refuse(payload)
    refusal.catch(() => {})
    for (let part = 0; part < 10; part++) {
      payload.write(Buffer.alloc(20 * KiB))
      await nextRound()
      t.equal(await isOver(refusal), false)
    }
    payload.end()
    await nextRound()
    t.equal(await isOver(refusal), true)

    const endless = new PassThrough()
    const early = refuse(endless)
    early.catch(() => {})
    for (let part = 0; part < 80; part++) {
      endless.write(Buffer.alloc(20 * KiB))
      await nextRound()
    }
    t.equal(await isOver(early), true)
    t.equal(endless.readableLength, 0, 'the rest is read too')
  }
  t.equal(await isOver(readBody(new PassThrough(), 10, String(2 ** 21))), true, 'of a body that is larger by its header, nothing is awaited')
  t.equal(await discardBody(new PassThrough().end()), true)

  const broken = new PassThrough()
  const refused = discardBody(broken)
  broken.destroy(new Error('disconnected'))
  t.strictSame(await refused.catch(error => error), malformedRequest())

  const closing = new PassThrough()
  const closed = discardBody(closing)
  closing.destroy()
  t.strictSame(await closed.catch(error => error), malformedRequest())
})

t.test('a body that is over before its refusal is not awaited', async (t) => {
  const read = new PassThrough().end('x').resume()
  await finished(read)
  t.equal(await discardBody(read), true)
  t.strictSame(await discardBody(new PassThrough().destroy()).catch(error => error), malformedRequest())
})
