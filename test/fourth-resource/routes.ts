import type { FastifyInstance } from 'fastify'
import { bulk, bulkOptions, create, list, remove, retrieve, update } from '../../src/resources/handlers.ts'
import { Paged } from '../../src/schemas/list.ts'
import { almacenes } from './resource.ts'
import { Almacen, AlmacenBody, AlmacenPatch, AlmacenQuery, AlmacenRecordQuery } from './schemas.ts'

/** What stands in the route folder's `index.ts`, `_id/index.ts` and `bulk/index.ts`. */
export default async function almacenesRoutes (app: FastifyInstance) {
  app.get('/', {
    config: { access: 'read' },
    schema: { operationId: 'listAlmacenes', summary: 'List warehouses', querystring: AlmacenQuery, response: { 200: Paged(Almacen) } }
  }, list(almacenes))

  app.post('/', {
    config: { access: 'edit' },
    attachValidation: true,
    schema: { operationId: 'createAlmacen', summary: 'Create a warehouse', body: AlmacenBody, response: { 201: Almacen } }
  }, create(almacenes))

  app.post('/bulk/', bulkOptions(almacenes, AlmacenBody, Almacen), bulk(almacenes))
  app.get('/:id/', {
    config: { access: 'read' },
    schema: { operationId: 'retrieveAlmacen', summary: 'One warehouse', querystring: AlmacenRecordQuery, response: { 200: Almacen } }
  }, retrieve(almacenes))

  app.put('/:id/', {
    config: { access: 'edit' },
    attachValidation: true,
    schema: { operationId: 'updateAlmacen', summary: 'Update a warehouse', body: AlmacenBody, response: { 200: Almacen } }
  }, update(almacenes))

  app.patch('/:id/', {
    config: { access: 'edit' },
    attachValidation: true,
    schema: { operationId: 'partialUpdateAlmacen', summary: 'Change some fields of a warehouse', body: AlmacenPatch, response: { 200: Almacen } }
  }, update(almacenes))

  app.delete('/:id/', {
    config: { access: 'delete' },
    schema: { operationId: 'deleteAlmacen', summary: 'Delete a warehouse' }
  }, remove(almacenes))
}
