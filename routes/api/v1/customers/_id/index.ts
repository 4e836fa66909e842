import type { FastifyInstance } from 'fastify'
import { retrieve, update } from '../../../../../src/accounts/handlers.ts'
import { customers } from '../../../../../src/accounts/customers.ts'
import { Customer, CustomerBody, CustomerPatch, CustomerRecordQuery } from '../schemas.ts'

export default async function customerRoutes (app: FastifyInstance) {
  app.get('/', {
    config: { access: 'customers.read' },
    schema: { operationId: 'retrieveCustomer', summary: 'One customer', querystring: CustomerRecordQuery, response: { 200: Customer } }
  }, retrieve(customers))

  app.put('/', {
    config: { access: 'customers.manage' },
    attachValidation: true,
    schema: { operationId: 'updateCustomer', summary: 'Update a customer', body: CustomerBody, response: { 200: Customer } }
  }, update(customers))

  app.patch('/', {
    config: { access: 'customers.manage' },
    attachValidation: true,
    schema: { operationId: 'partialUpdateCustomer', summary: 'Change some fields of a customer', body: CustomerPatch, response: { 200: Customer } }
  }, update(customers))
}
