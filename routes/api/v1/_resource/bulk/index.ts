import type { FastifyInstance } from 'fastify'
import { resources } from '../../../../../src/domain/resources.ts'
import { bulk } from '../../../../../src/resources/writing/handlers.ts'

export { prefixOverride } from '../index.ts'

export default async function bulkRoutes (app: FastifyInstance) {
  for (const resource of resources) {
    await app.register(async app => app.post('/', bulk(resource)), { prefix: `/${resource.name}/bulk` })
  }
}
