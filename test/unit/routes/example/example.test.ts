import { createHash } from 'node:crypto'
import { join, posix } from 'node:path'
import { readFileSync } from 'node:fs'
import t from 'tap'
import { build, buildOn } from '../../../support/helper.ts'
import { root } from '../../../support/process.ts'

const { app, database } = await build(t)
const get = async (name: string, headers = {}) => await app.inject({ url: `/example/${name}`, headers })

t.test('the page loads only files of the service, under its policy', async (t) => {
  const page = await get('')
  t.strictSame([page.statusCode, page.headers['content-type']], [200, 'text/html; charset=utf-8'])
  const map = /<script type="importmap">([^]*?)<\/script>/.exec(page.body)?.[1] as string
  const policy = `default-src 'none'; script-src 'self' 'sha256-${createHash('sha256').update(map).digest('base64')}'; style-src 'self'; img-src 'self' data:; connect-src 'self'; manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`
  t.notMatch(page.body, /<style|style=|https?:/, 'nothing that the policy forbids')
  const loaded = [...page.body.matchAll(/(?:src|href)="([^"#]+\.[a-z]+)"/g)].map(([, name]) => name)
  t.strictSame(new Set(loaded), new Set(['icon.svg', 'manifest.webmanifest', 'style.css', 'app.js']))

  const types: Record<string, string> = { svg: 'image/svg+xml', webmanifest: 'application/manifest+json', css: 'text/css; charset=utf-8', js: 'application/javascript; charset=utf-8' }
  for (const name of [...loaded, 'service-worker.js']) {
    const { statusCode, headers } = await get(name)
    t.strictSame([statusCode, headers['content-type']], [200, types[name.split('.').at(-1) as string]], name)
    t.match(headers, { 'content-security-policy': policy, 'referrer-policy': 'no-referrer', 'x-content-type-options': 'nosniff' }, name)
    const again = await get(name, { 'if-none-match': headers['etag'] as string })
    t.strictSame([again.statusCode, again.body], [304, ''], name)
  }
})

t.test('the service worker keeps every module that the app imports, and Node.js modules are not served', async (t) => {
  const { body, headers } = await get('release.js')
  t.strictSame([headers['content-type'], headers['cache-control']], ['application/javascript; charset=utf-8', 'no-cache'])
  const { name, files: kept } = JSON.parse(/^self\.release = (.*)\n$/.exec(body)?.[1] as string) as { name: string, files: string[] }
  t.match(name, /^[0-9a-f]{16}$/)
  for (const name of kept) t.equal((await get(name.replace('./', ''))).statusCode, 200, name)
  const { imports } = JSON.parse(/<script type="importmap">([^]*?)<\/script>/.exec((await get('')).body)?.[1] as string) as { imports: Record<string, string> }
  const reached = new Set(['app.js'])
  for (const name of reached) {
    const { body } = await get(name)
    for (const [, specifier = ''] of body.matchAll(/^(?:import|export)[^'"]* from ['"]([^'"]+)['"]/gm)) {
      reached.add(specifier.startsWith('.') ? posix.join(posix.dirname(name), specifier) : posix.normalize(imports[specifier] ?? specifier))
    }
  }
  t.ok(reached.size > 10)
  t.strictSame([...reached].filter(name => !kept.includes(name)), [])
  t.strictSame(Object.values(imports).filter(name => !reached.has(posix.normalize(name))), [], 'the import map has no other modules')
  t.equal((await get('modules/obra/sync/file.js')).statusCode, 404)
})

t.test('the address without the slash redirects to it', async (t) => {
  const { statusCode, headers } = await app.inject('/example?x=1')
  t.strictSame([statusCode, headers['location']], [302, 'example/'])
})

t.test('other files are 404', async (t) => {
  for (const name of ['index.html', 'tsconfig.json', 'modules/', 'modules/obra/index.d.ts', '%2e%2e/%2e%2e/package.json', '..%2f..%2fpackage.json', 'app.js/x']) {
    t.match((await get(name)).json(), { code: 'not_found' }, name)
  }
  t.match((await app.inject({ method: 'POST', url: '/example/' })).json(), { code: 'method_not_allowed' })
})

t.test('production does not serve it', async (t) => {
  const closed = await buildOn(t, { ...database, close: async () => {} }, { NODE_ENV: 'production' })
  for (const url of ['/example', '/example/', '/example/app.js', '/example/release.js']) t.equal((await closed.inject(url)).statusCode, 404, url)
  t.not((await closed.inject('/docs/')).statusCode, 404)
})

t.test('the manifest makes the app installable', async (t) => {
  const manifest = JSON.parse(readFileSync(join(root, 'docs/examples/site-app/manifest.webmanifest'), 'utf8'))
  t.match(manifest, { name: /./, start_url: './', display: 'standalone', icons: [{ src: 'icon.svg', sizes: 'any' }] })
})
