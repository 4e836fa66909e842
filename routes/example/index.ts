import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { sendFile } from '../../src/http/send-file.ts'

const root = join(import.meta.dirname, '../..')
const page = join(root, 'docs/examples/site-app')
const client = join(root, 'src/client')

/** The file that an import of a package loads in browsers. */
const packaged = (specifier: string) => fileURLToPath(import.meta.resolve(specifier))

/** Modules of the client that run in browsers. */
const modules = globSync(['*.js', 'sync/*.js'], { cwd: client, exclude: ['sync/file.js'] })

const pageFiles = ['app.js', 'dom.js', 'measure.js', 'quantities.js', 'style.css', 'manifest.webmanifest', 'icon.svg', 'service-worker.js']

/** Files of the app. The import map of the page names the same modules. */
const files: Record<string, string> = {
  ...Object.fromEntries(pageFiles.map(name => [name, join(page, name)])),
  ...Object.fromEntries(modules.map(name => [`modules/obra/${name}`, join(client, name)])),
  'modules/openapi-fetch.js': packaged('openapi-fetch'),
  'modules/dexie.js': packaged('dexie/dist/modern/dexie.mjs'),
  'modules/eventsource-parser.js': packaged('eventsource-parser')
}

/** Allows files of this server, and the page's import map, which browsers read only from the page itself. */
function policy (): string {
  const [, script = ''] = readFileSync(join(page, 'index.html'), 'utf8').split('<script type="importmap">')
  const [map] = script.split('</script>') as [string]
  const hash = createHash('sha256').update(map).digest('base64')
  return [
    "default-src 'none'",
    `script-src 'self' 'sha256-${hash}'`,
    "style-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "manifest-src 'self'",
    "worker-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'"
  ].join('; ')
}

/** Names and hashes the files that the service worker keeps. The browser keeps the service worker itself. */
async function releaseScript (): Promise<string> {
  const kept = Object.entries(files).filter(([name]) => name !== 'service-worker.js')
  const hash = createHash('sha256')
  for (const path of [join(page, 'index.html'), ...kept.map(([, path]) => path)]) hash.update(await readFile(path))
  return `self.release = ${JSON.stringify({ name: hash.digest('hex').slice(0, 16), files: ['./', ...kept.map(([name]) => name)] })}\n`
}

/** The example app, outside production. It logs in and sends requests as any client does, so it needs no token itself. */
export default async function exampleRoutes (app: FastifyInstance) {
  const headers = { 'content-security-policy': policy(), 'referrer-policy': 'no-referrer', 'x-content-type-options': 'nosniff' }

  app.addHook('onRequest', async (request, reply) => {
    reply.headers(headers)
    app.throttleAddress(request)
  })

  const options = { schema: { hide: true }, config: { notJson: true } }

  app.get('/', options, async (request, reply): Promise<FastifyReply> => {
    const [path] = request.url.split('?', 1) as [string]
    // The page's links are relative, so that it works under any path.
    return path.endsWith('/') ? await sendFile(request, reply, 'index.html', page) : await reply.redirect('example/')
  })
  app.get('/release.js', options, async (_request, reply) => {
    reply.type('application/javascript; charset=utf-8').header('cache-control', 'no-cache')
    return await releaseScript()
  })
  for (const [name, path] of Object.entries(files)) {
    app.get(`/${name}`, options, async (request, reply) => await sendFile(request, reply, basename(path), dirname(path)))
  }
}
