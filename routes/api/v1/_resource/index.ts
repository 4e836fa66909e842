import type { FastifyInstance } from 'fastify'
import { resources } from '../../../../src/domain/resources.ts'
import { list } from '../../../../src/resources/reading/handlers.ts'
import { create } from '../../../../src/resources/writing/handlers.ts'

/** Each registered resource has these routes under its name, not under a parameter. */
export const prefixOverride = '/api/v1'

export default async function resourceRoutes (app: FastifyInstance) {
  for (const resource of resources) {
    await app.register(async (app) => {
      app.get('/', list(resource))
      app.post('/', create(resource))
    }, { prefix: `/${resource.name}` })
  }
}
