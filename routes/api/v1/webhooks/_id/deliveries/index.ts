import type { FastifyInstance } from 'fastify'
import { deliveries, Delivery, deliveryDays, deliverySchemas } from '../../../../../../src/domain/webhooks/deliveries.ts'
import { webhooks } from '../../../../../../src/domain/webhooks/resource.ts'
import { kinds } from '../../../../../../src/http/route-kinds.ts'
import { columnsOf } from '../../../../../../src/resources/csv/columns.ts'
import { envelope } from '../../../../../../src/resources/reading/handlers.ts'
import type { ListQuery } from '../../../../../../src/resources/reading/page.ts'
import type { Reader } from '../../../../../../src/resources/declaration/scope.ts'
import { readWholeList } from '../../../../../../src/resources/reading/whole-list.ts'
import { recordId } from '../../../../../../src/resources/validation/convert.ts'

export default async function deliveriesRoutes (app: FastifyInstance) {
  app.get<{ Params: { id: string }, Querystring: ListQuery }>('/', {
    config: { access: 'webhooks', kind: kinds.list, csv: true },
    schema: {
      tags: ['webhooks'],
      operationId: 'listDeliveries',
      summary: 'List the deliveries of a webhook, newest first',
      description: `All attempts of the last ${deliveryDays} days.`,
      querystring: deliverySchemas.query,
      response: { 200: deliverySchemas.page }
    }
  }, async (request, reply) => {
    const { tenant, query, params } = request
    await tenant.record(webhooks, params.id)
    const list = { ordering: ['-id'], webhook: recordId(params.id) }
    if (request.answerType === 'text/csv') {
      const parts = (read: Reader) => readWholeList(read, deliveries, list, tenant.zone)
      const columns = columnsOf(Delivery)
      return await reply.sendCsv({ name: `deliveries-${list.webhook}`, columns, resource: deliveries, isFixed: true, parts })
    }
    const page = await tenant.page(deliveries, { ...query, ...list })
    return await reply.sendTagged({ body: envelope(page, request.origin(), request) })
  })
}
