import { Type } from '@sinclair/typebox'
import type { FastifyInstance } from 'fastify'
import { OtherCurrencies } from '../../../../../../src/domain/contracts/fields.ts'
import { contracts } from '../../../../../../src/domain/contracts/resource.ts'
import { nest, treeQuery } from '../../../../../../src/domain/contracts/tree.ts'
import { readTree } from '../../../../../../src/domain/contracts/whole-trees.ts'
import { revisionOf } from '../../../../../../src/http/representation.ts'
import { kinds } from '../../../../../../src/http/route-kinds.ts'
import { columnsOf } from '../../../../../../src/resources/csv/columns.ts'
import { FormatQuery } from '../../../../../../src/resources/declaration/list-schemas.ts'
import type { Reader } from '../../../../../../src/resources/declaration/scope.ts'
import { recordId } from '../../../../../../src/resources/validation/convert.ts'

const Query = Type.Partial(Type.Object({
  ...FormatQuery.properties,
  depth: Type.Integer({ digits: true, minimum: 0, maximum: 1_000_000, description: 'Depth below the contract. Default: unlimited.' })
}), { additionalProperties: false })

const Branch = Type.Object({
  ...contracts.schemas.item.properties,
  monto_total: Type.String({
    description: "Sum of the contract and all its subcontracts in the contract's currency.",
    examples: ['250000.00']
  }),
  otras_monedas: Type.Unsafe<Record<string, string>>({
    ...OtherCurrencies,
    description: 'Sums of all its subcontracts in other currencies, by currency.'
  })
})

const Tree = Type.Recursive(This => Type.Object({ ...Branch.properties, children: Type.Array(This) }, { title: 'ContractTree' }))

export default async function contractTreeRoutes (app: FastifyInstance) {
  app.get<{ Params: { id: string }, Querystring: { depth?: number, format?: string } }>('/', {
    config: { access: 'read', kind: kinds.record, sql: treeQuery.text, csv: true },
    schema: {
      tags: ['contracts'],
      operationId: 'retrieveContractTree',
      summary: 'Retrieve a contract with its nested subcontracts',
      description: 'CSV has a row for each contract: each one after its parent, and before the next subcontract of the parent.',
      querystring: Query,
      response: { 200: Tree }
    }
  }, async (request, reply) => {
    const { tenant, params, query: { depth } } = request
    const id = recordId(params.id)
    if (request.answerType === 'text/csv') {
      const parts = (read: Reader) => readTree(read, id, depth)
      return await reply.sendCsv({ name: `tree-${id}`, columns: columnsOf(Branch), resource: contracts, parts })
    }
    return await reply.sendCached(async () => {
      const rows = await tenant.read(treeQuery, [id])
      app.assert(rows[0], 404)
      return { body: await nest(rows, contract => reply.serializeInput(contract, Branch), depth), ...revisionOf(rows[0]) }
    })
  })
}
