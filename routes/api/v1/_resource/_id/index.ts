import type { FastifyInstance } from 'fastify'
import { resources } from '../../../../../src/domain/resources.ts'
import { retrieve } from '../../../../../src/resources/reading/handlers.ts'
import { patch, remove, update } from '../../../../../src/resources/writing/handlers.ts'

export { prefixOverride } from '../index.ts'

export default async function recordRoutes (app: FastifyInstance) {
  for (const resource of resources) {
    await app.register(async (app) => {
      app.get('/', retrieve(resource))
      app.put('/', update(resource))
      app.patch('/', patch(resource))
      app.delete('/', remove(resource))
    }, { prefix: `/${resource.name}/:id` })
  }
}
