import type { FastifyInstance } from 'fastify'
import { list, retrieve } from '../../src/resources/reading/handlers.ts'
import { bulk, create, patch, remove, update } from '../../src/resources/writing/handlers.ts'
import { almacenes } from './resource.ts'

/** In the service, these are the `index.ts` files of the route folders `almacenes`, `almacenes/_id` and `almacenes/bulk`. */
export default async function almacenesRoutes (app: FastifyInstance) {
  app.get('/', list(almacenes))
  app.post('/', create(almacenes))
  app.post('/bulk/', bulk(almacenes))
  app.get('/:id/', retrieve(almacenes))
  app.put('/:id/', update(almacenes))
  app.patch('/:id/', patch(almacenes))
  app.delete('/:id/', remove(almacenes))
}
