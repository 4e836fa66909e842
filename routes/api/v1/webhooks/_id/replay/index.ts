import { Type } from '@sinclair/typebox'
import type { FastifyInstance } from 'fastify'
import { Continuation, replayChanges } from '../../../../../../src/domain/webhooks/actions.ts'
import { webhooks } from '../../../../../../src/domain/webhooks/resource.ts'
import { refuse } from '../../../../../../src/http/errors.ts'
import { kinds } from '../../../../../../src/http/route-kinds.ts'
import { recordId } from '../../../../../../src/resources/validation/convert.ts'
import { inputOf } from '../../../../../../src/resources/writing/input.ts'

const Replay = Type.Object({
  since: Type.Unsafe<number | string>({
    type: ['integer', 'string'],
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
    isInstant: true,
    description: 'Revision or time after which deliveries begin.',
    examples: ['2026-03-01T00:00:00Z']
  })
}, { additionalProperties: false, title: 'Replay' })

export default async function replayRoutes (app: FastifyInstance) {
  app.post<{ Params: { id: string } }>('/', {
    config: { access: 'webhooks', kind: kinds.action },
    attachValidation: true,
    schema: {
      tags: ['webhooks'],
      operationId: 'replayWebhook',
      summary: 'Deliver earlier changes again',
      description: 'Each record that has changed since then is delivered once, in its latest state.',
      body: Replay,
      response: { 202: Continuation }
    }
  }, async (request, reply) => {
    const { tenant, params } = request
    await tenant.record(webhooks, params.id)
    const { values, problems } = inputOf(request, { writable: ['since'], columns: { since: 'timestamptz' } })
    refuse(problems)
    const since = values['since'] as number | string // as its schema says
    const revision = await tenant.unit(async ({ run }) => await replayChanges(run, tenant.company, recordId(params.id), since))
    return await reply.code(202).send({ revision })
  })
}
