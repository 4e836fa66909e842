import { connect } from 'node:net'
import { gzipSync } from 'node:zlib'
import t from 'tap'
import { message, type Language } from '../../../src/http/messages.ts'
import { build } from '../../support/helper.ts'
import { invalid } from '../../support/invalid.ts'
import { targetProblems } from '../../../src/server/target-problems.ts'

const { app, as } = await build(t)
const director = await as('director@demo.example')
const latin1 = Buffer.from('{"folio":"ENC-1","descripcion":"Cimentaci\xf3n"}', 'latin1')

t.test('a body that is not UTF-8 is 400 and names the encoding, and nothing is written', async (t) => {
  for (const language of ['en', 'es'] as const) {
    for (const [method, url, body] of [
      ['POST', 'contracts/', latin1], ['PATCH', 'contracts/1/', latin1], ['POST', 'contracts/bulk/', Buffer.from('{"items":[{"folio":"ENC-\xf1"}]}', 'latin1')],
      ['POST', 'mutations/', Buffer.from('{"device":"\xe9"}', 'latin1')], ['POST', 'contracts/', Buffer.from('\ufeff{}', 'utf16le')], ['POST', 'contracts/', Buffer.from([0x7b, 0xc3])],
      ['POST', 'contracts/', Buffer.from('{"folio":"\xed\xa0\x80"}', 'latin1')], ['POST', 'contracts/', Buffer.from('{"folio":"\xc0\xae"}', 'latin1')]
    ] as const) {
      const response = await director.send(method, url, body, { 'content-type': 'application/json', 'accept-language': language })
      t.equal(response.statusCode, 400, `${method} ${url}`)
      t.strictSame(response.json(), invalid({ non_field_errors: [message(language, 'bodyNotUtf8')] }, language))
    }
  }
  t.match(message('en', 'bodyNotUtf8'), /UTF-8/)
  t.equal((await director.get('contracts/?folio=ENC-1')).json().count, 0)
  t.not((await director.get('contracts/1/')).json().folio, 'ENC-1')
  t.equal((await director.send('POST', 'contracts/', Buffer.from('{"folio":"ENC-\u00f1 \ufffd"}'), { 'content-type': 'application/json' })).json().folio, 'ENC-\u00f1 \ufffd', 'a replacement character that was sent is text')
})

t.test('another charset than UTF-8 is 415', async (t) => {
  for (const charset of ['iso-8859-1', 'latin1', 'utf-16', '"windows-1252"', 'us-ascii', '""', 'utf-8x']) {
    const response = await director.send('POST', 'contracts/', '{"folio":"ENC-2"}', { 'content-type': `application/json; charset=${charset}` })
    t.strictSame([response.statusCode, response.json()], [415, { detail: message('en', 'unsupportedCharset', { charset: charset.replaceAll('"', '') }), code: 'unsupported_media_type' }], charset)
  }
  for (const charset of ['utf-8', 'UTF-8', '"utf-8"', 'utf8', 'Utf-8; x=1']) {
    t.equal((await director.send('PATCH', 'contracts/1/', '{}', { 'content-type': `application/json; charset=${charset}` })).statusCode, 200, charset)
  }
  t.equal((await director.get('contracts/?folio=ENC-2')).json().count, 0)
})

t.test('a query or path that is not UTF-8, or whose percent-encoding is malformed, is 400', async (t) => {
  for (const [url, field, key] of [
    ['contracts/?search=%F1', 'search', 'notUtf8'], ['contracts/?page_size=2&search=a%E9b', 'search', 'notUtf8'], ['contracts/?search=%C0%AE', 'search', 'notUtf8'], ['contracts/?search=%ED%A0%80', 'search', 'notUtf8'],
    ['contracts/?search=100%', 'search', 'percentEncoding'], ['contracts/?search=%zz', 'search', 'percentEncoding'], ['contracts/?%zz=1', '%zz', 'percentEncoding'], ['contracts/?se%F1al=1', 'se%F1al', 'notUtf8'],
    ['me/?a=%', 'a', 'percentEncoding'], ['contracts/%F1/', 'non_field_errors', 'notUtf8'], ['contracts/%/', 'non_field_errors', 'percentEncoding'], ['contracts/1%2/tree/', 'non_field_errors', 'percentEncoding'], ['nada/%ff/', 'non_field_errors', 'notUtf8']
  ] as const) {
    for (const language of ['en', 'es'] as Language[]) {
      const response = await director.get(url, { 'accept-language': language })
      t.strictSame([response.statusCode, response.json()], [400, invalid({ [field]: [message(language, key)] }, language)], url)
    }
  }
  t.strictSame((await director.get('contracts/?search=%F1&folio=%&page_size=5')).json().errors, { search: [message('en', 'notUtf8')], folio: [message('en', 'percentEncoding')] }, 'each by its name')
  t.equal((await app.inject('/api/v1/contracts/?search=%F1')).statusCode, 400, 'without a token too')
})

t.test('of many malformed parameters, the first 20 are examined, and of thousands none', async (t) => {
  const decode = decodeURIComponent
  let calls = 0
  t.intercept(globalThis, 'decodeURIComponent', { value (text: string) { calls++; return decode(text) }, writable: true })
  const parts = Array.from({ length: 200 }, (_, index) => index < 21 ? `%g${index}` : '%')
  t.equal(targetProblems(`/health/live/?${parts.join('&')}`).length, 21)
  t.ok(calls < 100, `${calls} decodings`)
  t.strictSame(targetProblems(`/health/live/?${parts.slice(0, 20).join('&')}`).map(({ key }) => key), Array(20).fill('percentEncoding'), 'no more than 20')
  calls = 0
  t.strictSame(targetProblems(`/health/live/?${Array(7000).fill('%').join('&')}`).map(({ key }) => key), ['tooManyParameters'])
  t.ok(calls <= 1, `${calls} decodings`)

  const { errors } = (await director.get(`contracts/?${parts.join('&')}`)).json()
  t.strictSame(Object.keys(errors), [...parts.slice(0, 20), 'non_field_errors'])
  t.strictSame(errors.non_field_errors, [message('en', 'moreProblems')])
})

t.test('bytes that are not percent-encoded are 400, in UTF-8 and in Latin-1', async (t) => {
  const port = Number(new URL(await app.listen({ port: 0, host: '127.0.0.1' })).port)
  for (const encoding of ['utf8', 'latin1'] as const) {
    const socket = connect(port, '127.0.0.1')
    socket.write(Buffer.from(`GET /api/v1/contracts/?folio=\u00f1 HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${director.access}\r\n\r\n`, encoding))
    const answer = (await socket.setEncoding('utf8').toArray()).join('')
    t.match(answer, /^HTTP\/1.1 400 .*\{"detail":"Invalid input\."/s, encoding)
  }
})

t.test('a compressed body is 415, and the answer says how to send it', async (t) => {
  const compressed = gzipSync('{"folio":"ENC-3"}')
  for (const language of ['en', 'es'] as const) {
    for (const encoding of ['gzip', 'br', 'Deflate', 'identity, gzip', 'x']) {
      const response = await director.send('POST', 'contracts/', compressed, { 'content-type': 'application/json', 'content-encoding': encoding, 'accept-language': language })
      t.strictSame([response.statusCode, response.json(), response.headers['accept-encoding']],
        [415, { detail: message(language, 'unsupportedEncoding', { encoding }), code: 'unsupported_media_type' }, 'identity'], encoding)
    }
  }
  for (const encoding of ['identity', 'Identity', '']) {
    t.equal((await director.send('PATCH', 'contracts/1/', '{}', { 'content-type': 'application/json', 'content-encoding': encoding })).statusCode, 200, encoding)
  }
  const text = await director.send('POST', 'contracts/', compressed, { 'content-type': 'text/plain', 'content-encoding': 'gzip' })
  t.strictSame([text.json().detail, text.headers['accept-encoding']], [message('en', 'unsupportedMediaType', { media_type: 'text/plain' }), undefined])
  t.equal((await director.get('contracts/?folio=ENC-3')).json().count, 0)
})
