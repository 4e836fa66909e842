import { Type } from '@sinclair/typebox'
import type { FastifyInstance } from 'fastify'
import { ancestorsShape } from '../../../../../../src/contracts/tree.ts'
import { notFound } from '../../../../../../src/errors.ts'
import { recordId } from '../../../../../../src/resources/conditions.ts'
import { ContractItem } from '../../schemas.ts'

export default async function contractAncestorsRoutes (app: FastifyInstance) {
  app.get('/', {
    config: { access: 'read' },
    schema: {
      operationId: 'listContractAncestors',
      summary: 'The contracts above a contract, root first',
      querystring: Type.Object({}, { additionalProperties: false }),
      response: { 200: Type.Array(ContractItem) }
    }
  }, async (request, reply) => await reply.remember(async () => {
    const { id } = request.params as { id: string }
    const rows = await request.tenant.ask(ancestorsShape, [recordId(id)])
    if (rows[0] === undefined) throw notFound()
    return { body: rows.slice(0, -1), revision: rows[0]['revision'] }
  }))
}
