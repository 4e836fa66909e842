import { globSync } from 'node:fs'
import { join, posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { httpError } from '../../src/http/errors.ts'
import { sendFile } from '../../src/http/send-file.ts'
import { pageRoute, servePage } from '../../src/server/page.ts'

const root = join(import.meta.dirname, '../..')
const folder = join(root, 'src/openapi/reference-page')
const names = [...globSync('*.{js,css,svg}', { cwd: folder }).sort(), 'guide.html']
const files = {
  ...Object.fromEntries(names.map(name => [name, join(folder, name)])),
  'marked.js': fileURLToPath(import.meta.resolve('marked'))
}

/** Pages of the documentation and their images, by the path that their links have. */
const pages = new Set(globSync(['**/*.md', 'images/*.png'], { cwd: join(root, 'docs') }))

/** The reference page, and the guides to which it links. */
export default async function docsRoutes (app: FastifyInstance) {
  servePage(app, { folder, files })
  app.get('/pages/*', pageRoute, sendPage)
}

async function sendPage (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { '*': path } = request.params as { '*': string }
  if (!pages.has(path)) throw httpError(404)
  return await sendFile(request, reply, posix.basename(path), join(root, 'docs', posix.dirname(path)))
}
