import type { FastifyPluginAsync } from 'fastify'
import { csvBody } from './csv/body.ts'
import type { Resource } from './declaration/resource.ts'
import { list, retrieve } from './reading/handlers.ts'
import { bulk, create, patch, remove, update } from './writing/handlers.ts'

/** The routes of a resource's path, such as `contracts/`. */
export function collectionRoutes (resource: Resource): FastifyPluginAsync {
  return async (app) => {
    app.get('/', list(resource))
    app.post('/', create(resource))
  }
}

/** The routes of a single record, such as `contracts/:id/`. */
export function recordRoutes (resource: Resource): FastifyPluginAsync {
  return async (app) => {
    app.get('/', retrieve(resource))
    app.put('/', update(resource))
    app.patch('/', patch(resource))
    app.delete('/', remove(resource))
  }
}

/** The route of many records, such as `contracts/bulk/`. */
export function bulkRoutes (resource: Resource): FastifyPluginAsync {
  return async (app) => {
    app.addContentTypeParser('text/csv', csvBody(resource))
    app.post('/', bulk(resource))
  }
}
