import { createHash } from 'node:crypto'
import t from 'tap'
import { demoPassword } from '../../../src/domain/demo/data.ts'
import manifest from '../../../package.json' with { type: 'json' }
import { build, buildOn } from '../../support/helper.ts'

const { app, database } = await build(t)
const open = async (server: typeof app, headers: Record<string, string> = {}) => {
  return await server.inject({ url: '/', headers: { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', ...headers } })
}
const linksOf = (html: string) => [...html.matchAll(/<a href="([^"]+)"/g)].map(([, address]) => `/${address}`)

t.test('browsers get a page with the version, whose links all lead somewhere', async (t) => {
  const { statusCode, headers, body } = await open(app)
  t.strictSame([statusCode, headers['content-type'], headers['content-language']], [200, 'text/html; charset=utf-8', 'en'])
  t.match(body, `Version ${manifest.version}<`)
  t.strictSame(linksOf(body), ['/docs/', '/docs/guide.html?README.md', '/openapi.json', '/example/', '/example/office/', '/health/ready/'])
  for (const url of linksOf(body)) t.equal((await app.inject(url)).statusCode, 200, url)
  const [, style = ''] = /<style>([^]*?)<\/style>/.exec(body) ?? []
  t.match(headers['content-security-policy'], `'sha256-${createHash('sha256').update(style).digest('base64')}'`, 'the policy admits its style')
  t.notMatch(body, /<script| style=|https?:\/\/(?!www\.w3\.org\/2000\/svg)/, 'nothing that the policy forbids')
})

t.test('it is in the language of the browser', async (t) => {
  const { headers, body } = await open(app, { 'accept-language': 'es-MX,es;q=0.9,en;q=0.5' })
  t.equal(headers['content-language'], 'es')
  t.match(body, /<html lang="es">[^]*Referencia de la API/)
  t.match(headers['vary'], /Accept, Accept-Language/)
})

t.test('other clients get the same links as JSON', async (t) => {
  for (const accept of [undefined, '*/*', 'application/json', 'application/json, text/html;q=0.5']) {
    const { statusCode, headers, body } = await app.inject({ url: '/', headers: { host: 'obra.example:3000', ...accept === undefined ? {} : { accept } } })
    t.strictSame([statusCode, headers['content-type'], headers['content-language']], [200, 'application/json; charset=utf-8', 'en'], String(accept))
    const { name, version, api, links } = JSON.parse(body)
    t.strictSame([name, version, api], ['Obra', manifest.version, 'http://obra.example:3000/api/v1/'])
    t.strictSame(links.map(({ url }: { url: string }) => url.replace('http://obra.example:3000', '')), linksOf((await open(app)).body))
    t.strictSame(links[0], { title: 'API reference', text: 'All operations, to read and try out', url: 'http://obra.example:3000/docs/' })
  }
  const spanish = await app.inject({ url: '/', headers: { 'accept-language': 'es' } })
  t.equal(spanish.json().links[0].title, 'Referencia de la API')
  const image = await app.inject({ url: '/', headers: { accept: 'image/png' } })
  t.strictSame([image.statusCode, image.json().code], [406, 'not_acceptable'])
})

t.test('production has no demo account and no example pages, DOCS=off no reference', async (t) => {
  const production = (await open(await buildOn(t, { ...database, close: async () => {} }, { NODE_ENV: 'production' }))).body
  t.strictSame(linksOf(production), ['/docs/', '/docs/guide.html?README.md', '/openapi.json', '/health/ready/'])
  t.notMatch(production, /demo/)
  t.match((await open(app)).body, demoPassword)
  const closed = (await open(await buildOn(t, { ...database, close: async () => {} }, { DOCS: 'off' }))).body
  t.strictSame(linksOf(closed), ['/example/', '/example/office/', '/health/ready/'])
})
