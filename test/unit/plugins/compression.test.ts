import type { LightMyRequestResponse } from 'fastify'
import t from 'tap'
import type { Encoding } from '../../../src/http/representation.ts'
import { decoded, decoders } from '../../support/decoded.ts'
import { build } from '../../support/helper.ts'

const textOf = ({ headers, rawPayload }: LightMyRequestResponse) => decoded(headers['content-encoding'], rawPayload)

t.test('compressed answers', async (t) => {
  const { as, app } = await build(t)
  const director = await as('director@demo.example')
  const superusuario = await as('superusuario@demo.example')
  const long = (await director.post('contracts/', { folio: 'LARGO', descripcion: 'concreto '.repeat(200) })).json()
  const accepting = (encoding: string) => ({ 'accept-encoding': encoding })

  for (const encoding of Object.keys(decoders) as Encoding[]) {
    await t.test(`have the same content in ${encoding}, and their own ETag`, async (t) => {
      for (const [client, url] of [[director, 'contracts/'], [director, `contracts/${long.id}/`], [director, 'contracts/?fields=folio,monto,fecha_inicio&page_size=50'], [superusuario, 'users/']] as const) {
        const plain = await client.get(url)
        t.equal(plain.headers['content-encoding'], undefined)
        for (const count of [1, 2, 3]) {
          const answer = await client.get(url, accepting(encoding))
          t.match(answer.headers, {
            'content-encoding': encoding,
            'content-length': String(answer.rawPayload.length),
            'content-type': 'application/json; charset=utf-8',
            etag: `${(plain.headers.etag as string).slice(0, -1)}-${encoding}"`,
            vary: /\bAccept-Encoding\b/
          }, `${url} ${count}`)
          t.equal(textOf(answer), plain.body)
          t.ok(answer.rawPayload.length < plain.rawPayload.length)
        }
        const tag = `${(plain.headers.etag as string).slice(0, -1)}-${encoding}"`
        for (const given of [tag, plain.headers.etag as string]) {
          const unchanged = await client.get(url, { ...accepting(encoding), 'if-none-match': given })
          t.match(unchanged, { statusCode: 304, body: '', headers: { etag: given } })
          t.equal(unchanged.headers['content-encoding'], undefined)
        }
        t.match(await client.get(url, { ...accepting(encoding), 'if-none-match': '*' }), { statusCode: 304, headers: { etag: tag } })
        const head = await client.send('HEAD', url, undefined, accepting(encoding))
        t.match(head, { statusCode: 200, body: '', headers: { 'content-encoding': encoding, etag: tag } })
      }
    })
  }

  await t.test('have ETags that If-Match accepts', async (t) => {
    const url = `contracts/${long.id}/`
    const { etag } = (await director.get(url, accepting('gzip'))).headers
    const changed = await director.send('PATCH', url, { monto: '7.00' }, { 'if-match': etag as string })
    t.match(changed, { statusCode: 200 })
    t.equal(changed.json().monto, '7.00')
    t.equal((await director.send('PATCH', url, { monto: '8.00' }, { 'if-match': etag as string })).statusCode, 412)
    t.equal(JSON.parse(textOf(await director.get(url, accepting('gzip')))).monto, '7.00')
  })

  await t.test('use the best coding that the client accepts', async (t) => {
    const cases: Array<[accepted: string, encoding: Encoding | undefined]> = [
      ['gzip, deflate, br, zstd', 'zstd'], ['gzip, deflate, br', 'br'], ['gzip;q=1.0, zstd;q=0.5', 'gzip'], ['zstd;q=0, gzip', 'gzip'],
      ['GZIP', 'gzip'], ['identity, gzip;q=0.5', undefined], ['identity', undefined], ['deflate', undefined], ['gzip;q=0', undefined], ['', undefined]
    ]
    for (const [accepted, encoding] of cases) t.equal((await director.get('contracts/', accepting(accepted))).headers['content-encoding'], encoding, accepted)
  })

  await t.test('are kept from the second request on', async (t) => {
    const url = 'contracts/?page_size=19'
    const size = async (encoding: string) => {
      await director.get(url, accepting(encoding))
      return app.pageCacheBytes()
    }
    const first = await size('gzip')
    const second = await size('gzip')
    t.ok(second > first)
    t.equal(await size('gzip'), second)
    t.ok(await size('br') > second, 'each coding')
  })

  await t.test('do not exist below 1 kB and for tokens', async (t) => {
    const small = await director.get('contracts/?page_size=1&fields=folio', accepting('gzip'))
    t.equal(small.headers['content-encoding'], undefined)
    t.match(small.json(), { results: [{ folio: /./ }] })
    const tokens = await app.inject({ method: 'POST', url: '/api/v1/api-token-refresh/', payload: { refresh: director.refresh }, headers: { ...accepting('gzip'), authorization: `Bearer ${director.access}` } })
    t.equal(tokens.headers['content-encoding'], undefined)
    t.match(tokens.json(), { access: /./ })
  })

  await t.test('exist for creates, bulks and the OpenAPI document', async (t) => {
    const created = await director.post('contracts/', { folio: 'LARGO-2', descripcion: 'concreto '.repeat(200) }, accepting('gzip'))
    t.match(created, { statusCode: 201, headers: { 'content-encoding': 'gzip', etag: /-gzip"$/, location: /\/contracts\// } })
    const { id } = JSON.parse(textOf(created))
    t.equal((await director.send('PATCH', `contracts/${id}/`, { monto: '1.00' }, { 'if-match': created.headers.etag as string })).statusCode, 200)

    const items = Array.from({ length: 20 }, (_, n) => ({ folio: `Z-${n}` }))
    const bulk = await director.post('contracts/bulk/', { items }, accepting('br'))
    t.match(bulk, { statusCode: 201, headers: { 'content-encoding': 'br' } })
    t.equal(JSON.parse(textOf(bulk)).count, 20)
    const plain = await app.inject({ url: '/openapi.json' })
    const answer = await app.inject({ url: '/openapi.json', headers: accepting('gzip') })
    t.match(answer.headers, { 'content-encoding': 'gzip', vary: 'Accept-Encoding', etag: `${(plain.headers.etag as string).slice(0, -1)}-gzip"` })
    t.equal(textOf(answer), plain.body)
    t.equal((await app.inject({ url: '/openapi.json', headers: { ...accepting('gzip'), 'if-none-match': answer.headers.etag as string } })).statusCode, 304)
  })
})
