import type { FastifyInstance } from 'fastify'
import { create, list } from '../../../../src/accounts/handlers.ts'
import { customers } from '../../../../src/accounts/customers.ts'
import { Paged } from '../../../../src/schemas/list.ts'
import { Customer, CustomerBody, CustomerQuery } from './schemas.ts'

export default async function customersRoutes (app: FastifyInstance) {
  app.get('/', {
    config: { access: 'customers.read' },
    schema: { operationId: 'listCustomers', summary: 'List customers', querystring: CustomerQuery, response: { 200: Paged(Customer) } }
  }, list(customers))

  app.post('/', {
    config: { access: 'customers.manage' },
    attachValidation: true,
    schema: { operationId: 'createCustomer', summary: 'Create a customer', body: CustomerBody, response: { 201: Customer } }
  }, create(customers))
}
