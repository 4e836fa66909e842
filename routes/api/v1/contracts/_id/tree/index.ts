import { Type } from '@sinclair/typebox'
import type { FastifyInstance } from 'fastify'
import { OtherCurrencies } from '../../../../../../src/domain/contracts/fields.ts'
import { contracts } from '../../../../../../src/domain/contracts/resource.ts'
import { nest, treeQuery } from '../../../../../../src/domain/contracts/tree.ts'
import { revisionOf } from '../../../../../../src/http/representation.ts'
import { recordId } from '../../../../../../src/resources/declaration/conditions.ts'

const Query = Type.Partial(Type.Object({
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
  app.get<{ Params: { id: string }, Querystring: { depth?: number } }>('/', {
    config: { access: 'read', sql: treeQuery.text },
    schema: {
      operationId: 'retrieveContractTree',
      summary: 'Retrieve a contract with its nested subcontracts',
      querystring: Query,
      response: { 200: Tree }
    }
  }, async (request, reply) => await reply.sendCached(async () => {
    const { tenant, params: { id }, query: { depth } } = request
    const rows = await tenant.read(treeQuery, [recordId(id)])
    app.assert(rows[0], 404)
    return { body: await nest(rows, contract => reply.serializeInput(contract, Branch) as string, depth), ...revisionOf(rows[0]) }
  }))
}
