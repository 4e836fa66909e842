import { Type } from '@sinclair/typebox'
import type { FastifyInstance } from 'fastify'
import { contracts } from '../../../../../../src/domain/contracts/resource.ts'
import { ancestorsQuery } from '../../../../../../src/domain/contracts/tree.ts'
import { revisionOf } from '../../../../../../src/http/representation.ts'
import { recordId } from '../../../../../../src/resources/declaration/conditions.ts'

/** One for all servers of a process, so that it is compiled once. */
const NoQuery = Type.Object({}, { additionalProperties: false })

export default async function contractAncestorsRoutes (app: FastifyInstance) {
  app.get<{ Params: { id: string } }>('/', {
    config: { access: 'read', sql: ancestorsQuery.text },
    schema: {
      operationId: 'listContractAncestors',
      summary: 'List the ancestors of a contract, root first',
      querystring: NoQuery,
      response: { 200: Type.Array(contracts.schemas.item) }
    }
  }, async (request, reply) => await reply.sendCached(async () => {
    const rows = await request.tenant.read(ancestorsQuery, [recordId(request.params.id)])
    app.assert(rows[0], 404)
    return { body: rows.slice(0, -1), ...revisionOf(rows[0]) }
  }))
}
