import { Type } from '@sinclair/typebox'
import type { FastifyInstance } from 'fastify'
import { contracts } from '../../../../../../src/domain/contracts/resource.ts'
import { ancestorsQuery } from '../../../../../../src/domain/contracts/tree.ts'
import { readAncestors } from '../../../../../../src/domain/contracts/whole-trees.ts'
import { revisionOf } from '../../../../../../src/http/representation.ts'
import { kinds } from '../../../../../../src/http/route-kinds.ts'
import { columnsOf } from '../../../../../../src/resources/csv/columns.ts'
import { FormatQuery } from '../../../../../../src/resources/declaration/list-schemas.ts'
import type { Reader } from '../../../../../../src/resources/declaration/scope.ts'
import { recordId } from '../../../../../../src/resources/validation/convert.ts'

export default async function contractAncestorsRoutes (app: FastifyInstance) {
  app.get<{ Params: { id: string }, Querystring: { format?: string } }>('/', {
    config: { access: 'read', kind: kinds.record, sql: ancestorsQuery.text, csv: true },
    schema: {
      tags: ['contracts'],
      operationId: 'listContractAncestors',
      summary: 'List the ancestors of a contract, root first',
      querystring: FormatQuery,
      response: { 200: Type.Array(contracts.schemas.item) }
    }
  }, async (request, reply) => {
    const id = recordId(request.params.id)
    if (request.answerType === 'text/csv') {
      const parts = (read: Reader) => readAncestors(read, id)
      return await reply.sendCsv({ name: `ancestors-${id}`, columns: columnsOf(contracts.schemas.item), resource: contracts, parts })
    }
    return await reply.sendCached(async () => {
      const rows = await request.tenant.read(ancestorsQuery, [id])
      app.assert(rows[0], 404)
      return { body: rows.slice(0, -1), ...revisionOf(rows[0]) }
    })
  })
}
