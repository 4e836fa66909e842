import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { sendFile } from '../http/send-file.ts'
import { sendModule } from './send-module.ts'

/** A page with its files, which needs no token itself: it logs in and sends requests as any client does. */
export interface Page {
  /** Folder of its `index.html`. */
  folder: string
  /** Paths of its other files, by their address below that of the page. TypeScript is served as JavaScript. */
  files: Record<string, string>
  /** Directives of its content policy beside those of every page. */
  allowed?: string[]
}

/** Options of the routes of a page. */
export const pageRoute = { schema: { hide: true }, config: { notJson: true } }

/** The source of the page's import map for the directive `script-src`: browsers read the map only from the page itself. */
function importMapSource (html: string): string {
  const [, rest] = html.split('<script type="importmap">')
  const [map] = rest?.split('</script>') ?? []
  return map === undefined ? '' : ` 'sha256-${createHash('sha256').update(map).digest('base64')}'`
}

/**
 * Serves a page at the prefix of the routes. It loads only files of this server, images as `data:`, and downloads from the bucket to which
 * the server redirects.
 */
export function servePage (app: FastifyInstance, { folder, files, allowed = [] }: Page): void {
  const policy = [
    "default-src 'none'",
    `script-src 'self'${importMapSource(readFileSync(join(folder, 'index.html'), 'utf8'))}`,
    "style-src 'self'",
    "img-src 'self' data:",
    `connect-src ${["'self'", app.files.origin].filter(Boolean).join(' ')}`,
    ...allowed,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'"
  ].join('; ')
  const headers = { 'content-security-policy': policy, 'referrer-policy': 'no-referrer', 'x-content-type-options': 'nosniff' }

  app.addHook('onRequest', async (request, reply) => {
    reply.headers(headers)
    app.throttleAddress(request)
  })
  app.get('/', pageRoute, async (request, reply) => {
    const [path] = request.url.split('?', 1)
    // The page's links are relative, so that it works under any path.
    return path.endsWith('/') ? await sendFile(request, reply, 'index.html', folder) : await reply.redirect(`${basename(app.prefix)}/`)
  })
  for (const [name, path] of Object.entries(files)) {
    app.get(`/${name}`, pageRoute, async (request, reply) => (
      path.endsWith('.ts') ? await sendModule(request, reply, path) : await sendFile(request, reply, basename(path), dirname(path))))
  }
}
