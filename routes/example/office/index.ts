import type { FastifyInstance } from 'fastify'
import { exampleFiles } from '../../../src/server/example-files.ts'
import { servePage } from '../../../src/server/page.ts'

/** The app for phones has other addresses for the modules of the client, because its service worker caches them. */
const page = exampleFiles('office', { client: ['*.ts'], packages: { 'openapi-fetch.js': 'openapi-fetch' } })

/** The example page for the office, outside production. */
export default async function officeRoutes (app: FastifyInstance) {
  servePage(app, page)
}
