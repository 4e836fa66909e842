import { connect } from 'node:net'
import t from 'tap'
import { build } from '../../../../../support/helper.ts'

t.test('the header Idempotency-Key, over a socket', async (t) => {
  const { as, app, psql } = await build(t)
  const director = await as('director@demo.example')
  const port = Number(new URL(await app.listen({ port: 0, host: '127.0.0.1' })).port)
  let folios = 0

  /** Posts a contract with header lines of these bytes. @returns status, headers and body as text */
  async function post (folio: string, ...keys: Buffer[]): Promise<string> {
    const body = JSON.stringify({ folio })
    const lines = keys.flatMap(key => [Buffer.from('Idempotency-Key: '), key, Buffer.from('\r\n')])
    const head = `POST /api/v1/contracts/ HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${director.access}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nConnection: close\r\n`
    const socket = connect(port, '127.0.0.1')
    socket.write(Buffer.concat([Buffer.from(head), ...lines, Buffer.from(`\r\n${body}`)]))
    return (await socket.setEncoding('utf8').toArray()).join('')
  }

  t.test('is any printable text, in UTF-8 or Latin-1', async (t) => {
    for (const key of ['k', 'Ñandú 7', '日本語', '👷'.repeat(255), 'x'.repeat(255), '"a, b"; c=1', "'"]) {
      const folio = `Z-${++folios}`
      t.match(await post(folio, Buffer.from(key)), /^HTTP\/1.1 201 /, key)
      t.match(await post(folio, Buffer.from(key)), /^HTTP\/1.1 201 [^]*\r\nidempotency-replayed: true\r\n/, key)
      t.equal((await psql('select from idempotency_keys where key = $1', [key])).length, 1)
    }
    t.match(await post('Z-2', Buffer.from('Ñandú 7', 'latin1')), /idempotency-replayed: true/, 'the same key in Latin-1')
    t.match(await post(`Z-${++folios}`, Buffer.from('a'), Buffer.from('b')), /^HTTP\/1.1 201 /)
    t.equal((await psql("select from idempotency_keys where key = 'a, b'")).length, 1, 'two header lines are one list, as in HTTP')
  })

  t.test('is 400 under its name otherwise, and nothing is created', async (t) => {
    for (const key of ['', '   ', 'x'.repeat(256), '👷'.repeat(256), 'a\tb', 'a\u0085b', 'a\u200bb', '\u202ea', '\ufeffa', '\ue000', 'a\u00ad']) {
      const answer = await post('NUNCA', Buffer.from(key))
      t.match(answer, /^HTTP\/1.1 400 /, JSON.stringify(key))
      t.match(answer, '{"detail":"Invalid input.","errors":{"Idempotency-Key":["Ensure this header has 1 to 255 printable characters."]},"codes":{"Idempotency-Key":["invalid"]}}')
    }
    t.match(await post('NUNCA', Buffer.from([0x80, 0xff])), /^HTTP\/1.1 400 /, 'neither UTF-8 nor printable Latin-1')
    t.match(await post('NUNCA', Buffer.from('a\0b')), /^HTTP\/1.1 400 /)
    t.match(await post('NUNCA', Buffer.from('x'.repeat(20_000))), /^HTTP\/1.1 431 /)
    t.strictSame(await psql("select from contracts where folio = 'NUNCA'"), [])
    t.match((await director.post('contracts/bulk/', { items: [{ folio: 'NUNCA' }] }, { 'idempotency-key': '', 'accept-language': 'es' })).json(), { errors: { 'Idempotency-Key': ['Asegúrese de que este encabezado tenga de 1 a 255 caracteres imprimibles.'] } })
  })
})
