import { join } from 'node:path'
import { readFileSync } from 'node:fs'
import t from 'tap'
import { examplePage, servesFiles } from '../../../support/example-page.ts'
import { root } from '../../../support/process.ts'

const page = await examplePage(t, '/example/', "manifest-src 'self'; worker-src 'self'; ")
const { app, get, loaded, mapped, reachedFrom, inProduction } = page

t.test('the page loads only files of the service, under its policy', async (t) => {
  t.strictSame(loaded, new Set(['icon.svg', 'manifest.webmanifest', 'style.css', 'app.js']))
  await servesFiles(t, page, [...loaded, 'service-worker.js'])
})

t.test('the service worker keeps every module that the app imports, and Node.js modules are not served', async (t) => {
  const { body, headers } = await get('release.js')
  t.strictSame([headers['content-type'], headers['cache-control']], ['application/javascript; charset=utf-8', 'no-cache'])
  const { name, files: kept } = JSON.parse(/^self\.release = (.*)\n$/.exec(body)?.[1] as string) as { name: string, files: string[] }
  t.match(name, /^[0-9a-f]{16}$/)
  for (const name of kept) t.equal((await get(name.replace('./', ''))).statusCode, 200, name)
  const reached = await reachedFrom(['app.js'])
  t.ok(reached.size > 10)
  t.strictSame([...reached].filter(name => !kept.includes(name)), [])
  t.strictSame(mapped.filter(name => !reached.has(name)), [], 'the import map has no other modules')
  t.equal((await get('modules/obra/sync/file.js')).statusCode, 404)
})

t.test('the address without the slash redirects to it', async (t) => {
  const { statusCode, headers } = await app.inject('/example?x=1')
  t.strictSame([statusCode, headers['location']], [302, 'example/'])
})

t.test('other files are 404', async (t) => {
  for (const name of ['index.html', 'tsconfig.json', 'modules/', 'modules/obra/api.d.ts', 'modules/obra/index.d.ts', 'modules/obra/index.ts', 'modules/obra/types.js', '%2e%2e/%2e%2e/package.json', '..%2f..%2fpackage.json', 'app.js/x']) {
    t.match((await get(name)).json(), { code: 'not_found' }, name)
  }
  t.match((await app.inject({ method: 'POST', url: '/example/' })).json(), { code: 'method_not_allowed' })
})

t.test('production does not serve it', async (t) => {
  const closed = await inProduction()
  for (const url of ['/example', '/example/', '/example/app.js', '/example/release.js']) t.equal((await closed.inject(url)).statusCode, 404, url)
  t.not((await closed.inject('/docs/')).statusCode, 404)
})

t.test('the manifest makes the app installable', async (t) => {
  const manifest = JSON.parse(readFileSync(join(root, 'docs/examples/site-app/manifest.webmanifest'), 'utf8'))
  t.match(manifest, { name: /./, start_url: './', display: 'standalone', icons: [{ src: 'icon.svg', sizes: 'any' }] })
})
