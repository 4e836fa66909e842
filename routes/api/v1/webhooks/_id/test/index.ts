import type { FastifyInstance } from 'fastify'
import { limits } from '../../../../../../src/config/limits.ts'
import { targetQuery } from '../../../../../../src/domain/webhooks/actions.ts'
import { Delivery } from '../../../../../../src/domain/webhooks/deliveries.ts'
import { requireSecrets } from '../../../../../../src/domain/webhooks/secrets.ts'
import { logStatement, pingOf } from '../../../../../../src/jobs/webhooks/message.ts'
import { sendSigned, type Receiver } from '../../../../../../src/jobs/webhooks/send-signed.ts'
import { kinds } from '../../../../../../src/http/route-kinds.ts'
import { callerOf } from '../../../../../../src/limits/caller.ts'
import { recordId } from '../../../../../../src/resources/validation/convert.ts'

export default async function testRoutes (app: FastifyInstance) {
  app.post<{ Params: { id: string } }>('/', {
    config: { access: 'webhooks', kind: kinds.action },
    schema: {
      tags: ['webhooks'],
      operationId: 'testWebhook',
      summary: 'Send a ping to a webhook',
      description: 'Sends `{"type": "ping"}` at once, outside the order and without retries. Answers with the attempt, up to ' +
        `${limits.webhooks.attemptMs / 1000} s later.`,
      response: { 200: Delivery }
    }
  }, async (request, reply) => {
    const { tenant, params } = request
    const { company } = tenant
    const id = recordId(params.id)
    const secrets = requireSecrets(app.webhooks.secrets)
    const ping = pingOf(id, company, new Date())
    app.countWait(request, reply)
    request.beginWait()
    // The webhook is read once the test has its place, so that a refused test costs no statement.
    const outcome = await app.webhooks.ping(callerOf(request), `${company} ${id}`, async (sender, signal) => {
      const [target] = await tenant.read(targetQuery, [id])
      app.assert(target, 404)
      return await sendSigned(sender, secrets, target as Receiver, ping, signal) // the columns of `targetQuery`
    }).finally(request.endWait)
    // A test does not lock the company: its entry changes no revision.
    const [[attempt]] = await app.database.sql.within([company], 'read write', [logStatement(company, id, ping, 1, outcome)])
    app.assert(attempt, 404)
    return attempt
  })
}
