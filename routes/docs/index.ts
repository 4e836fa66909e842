import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { FastifyInstance } from 'fastify'
import { sendFile } from '../../src/http/send-file.ts'

const page = join(import.meta.dirname, '../../src/openapi/reference-page')

/** Resolved, not imported: the package's entry point loads the whole of Swagger UI. */
const swagger = dirname(fileURLToPath(import.meta.resolve('swagger-ui-dist/swagger-ui-bundle.js')))

const files = { 'page.js': page, 'page.css': page, 'icon.svg': page, 'swagger-ui-bundle.js': swagger, 'swagger-ui.css': swagger }

/** Only files of this server are loaded. Swagger UI's style sheet contains its images as `data:`. */
const contentPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'"
]

const policy = {
  'content-security-policy': contentPolicy.join('; '),
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff'
}

/** The reference page. It logs in and sends requests as any client does, so it needs no token itself. */
export default async function docsRoutes (app: FastifyInstance) {
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(policy)
    app.throttleAddress(request)
  })

  const options = { schema: { hide: true }, config: { notJson: true } }

  app.get('/', options, async (request, reply) => {
    const [path] = request.url.split('?', 1) as [string]
    // The page's links are relative, so that it works under any path.
    return path.endsWith('/') ? await sendFile(request, reply, 'index.html', page) : await reply.redirect('docs/')
  })
  for (const [name, folder] of Object.entries(files)) {
    app.get(`/${name}`, options, async (request, reply) => await sendFile(request, reply, name, folder))
  }
}
