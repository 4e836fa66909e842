import type { FastifyInstance } from 'fastify'
import { Continuation, skipDelivery } from '../../../../../../src/domain/webhooks/actions.ts'
import { kinds } from '../../../../../../src/http/route-kinds.ts'
import { recordId } from '../../../../../../src/resources/validation/convert.ts'

export default async function skipRoutes (app: FastifyInstance) {
  app.post<{ Params: { id: string } }>('/', {
    config: { access: 'webhooks', kind: { fails: [...kinds.action.fails, 'NothingFails'] } },
    schema: {
      tags: ['webhooks'],
      operationId: 'skipDelivery',
      summary: 'Give up the delivery that fails',
      description: 'The next one follows at once. Refused with 409 if no delivery fails.',
      response: { 202: Continuation }
    }
  }, async ({ tenant, params }, reply) => {
    const revision = await tenant.unit(async ({ run }) => await skipDelivery(run, tenant.company, recordId(params.id)))
    return await reply.code(202).send({ revision })
  })
}
