import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { FastifyInstance } from 'fastify'
import { servePage } from '../../src/server/page.ts'

const folder = join(import.meta.dirname, '../../src/openapi/reference-page')

/** Resolved, not imported: the package's entry point loads the whole of Swagger UI. */
const swagger = dirname(fileURLToPath(import.meta.resolve('swagger-ui-dist/swagger-ui-bundle.js')))

const files = {
  ...Object.fromEntries(['page.js', 'page.css', 'icon.svg'].map(name => [name, join(folder, name)])),
  ...Object.fromEntries(['swagger-ui-bundle.js', 'swagger-ui.css'].map(name => [name, join(swagger, name)]))
}

/** The reference page. */
export default async function docsRoutes (app: FastifyInstance) {
  servePage(app, { folder, files })
}
