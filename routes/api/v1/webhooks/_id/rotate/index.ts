import type { FastifyInstance } from 'fastify'
import { rotateSecret } from '../../../../../../src/domain/webhooks/actions.ts'
import { webhooks } from '../../../../../../src/domain/webhooks/resource.ts'
import { requireSecrets } from '../../../../../../src/domain/webhooks/secrets.ts'
import { kinds } from '../../../../../../src/http/route-kinds.ts'
import { recordId } from '../../../../../../src/resources/validation/convert.ts'

export default async function rotateRoutes (app: FastifyInstance) {
  app.post<{ Params: { id: string } }>('/', {
    config: { access: 'webhooks', kind: kinds.action },
    schema: {
      tags: ['webhooks'],
      operationId: 'rotateWebhookSecret',
      summary: 'Give a webhook a new secret',
      description: 'Deliveries have a signature of both secrets for 24 hours.',
      response: { 200: webhooks.schemas.created }
    }
  }, async ({ tenant, params }) => await tenant.unit(async (work) => {
    return await rotateSecret(work, tenant.company, recordId(params.id), requireSecrets(app.webhooks.secrets))
  }))
}
