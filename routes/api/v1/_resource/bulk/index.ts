import type { FastifyInstance } from 'fastify'
import { resources } from '../../../../../src/domain/resources.ts'
import { csvBody } from '../../../../../src/resources/csv/body.ts'
import { bulk } from '../../../../../src/resources/writing/handlers.ts'

export { prefixOverride } from '../index.ts'

export default async function bulkRoutes (app: FastifyInstance) {
  for (const resource of resources) {
    await app.register(async (app) => {
      app.addContentTypeParser('text/csv', csvBody(resource))
      app.post('/', bulk(resource))
    }, { prefix: `/${resource.name}/bulk` })
  }
}
