import { Type } from '@sinclair/typebox'
import type { FastifyInstance } from 'fastify'
import { contracts, OtherCurrencies } from '../../../../../../src/domain/contracts/resource.ts'
import { nest, treeQuery } from '../../../../../../src/domain/contracts/tree.ts'
import { recordId } from '../../../../../../src/resources/declaration/conditions.ts'

const Query = Type.Partial(Type.Object({
  depth: Type.Integer({ digits: true, minimum: 0, maximum: 1_000_000, description: 'levels below the contract; all by default' })
}), { additionalProperties: false })

const Branch = Type.Object({
  ...contracts.schemas.item.properties,
  monto_total: Type.String({ description: 'its own amount and all below in its currency', examples: ['250000.00'] }),
  otras_monedas: Type.Unsafe<Record<string, string>>({ ...OtherCurrencies, description: 'sums of all below in other currencies' })
})

const Tree = Type.Recursive(This => Type.Object({ ...Branch.properties, children: Type.Array(This) }, { title: 'ContractTree' }))

export default async function contractTreeRoutes (app: FastifyInstance) {
  app.get<{ Params: { id: string }, Querystring: { depth?: number } }>('/', {
    config: { access: 'read', sql: treeQuery.text },
    schema: { operationId: 'retrieveContractTree', summary: 'A contract with all below it, nested', querystring: Query, response: { 200: Tree } }
  }, async (request, reply) => await reply.sendCached(async () => {
    const { tenant, params: { id }, query: { depth } } = request
    const rows = await tenant.read(treeQuery, [recordId(id)])
    app.assert(rows[0], 404)
    return { body: await nest(rows, contract => reply.serializeInput(contract, Branch) as string, depth), revision: rows[0]['revision'] }
  }))
}
