import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import type { FastifyInstance } from 'fastify'
import { limits } from '../../../../src/config/limits.ts'
import { httpError } from '../../../../src/http/errors.ts'
import { kinds } from '../../../../src/http/route-kinds.ts'
import { RefreshBody } from '../../../../src/auth/schemas.ts'
import { endSession, isLiveSession } from '../../../../src/auth/sessions.ts'

export default async function tokenRevokeRoutes (instance: FastifyInstance) {
  const app = instance.withTypeProvider<TypeBoxTypeProvider>()
  app.post('/', {
    config: { access: 'account', kind: kinds.command },
    bodyLimit: limits.bodies.token,
    schema: {
      tags: ['tokens'],
      operationId: 'revokeSession',
      summary: 'End the session of a refresh token',
      description: 'Its access tokens become invalid immediately.',
      body: RefreshBody
    }
  }, async ({ body: { refresh }, caller }, reply) => {
    const claims = app.tokens.verify(refresh, { type: 'refresh' })
    if (typeof claims === 'string') throw httpError(401, { code: 'token_not_valid', key: claims })
    if (claims.user_id !== caller.user) throw httpError(401, { code: 'token_not_valid', key: 'tokenInvalid' })
    const isLive = await isLiveSession(app.database.lone, claims.sid, claims.user_id)
    if (!isLive) throw httpError(401, { code: 'token_not_valid', key: 'tokenRevoked' })
    await endSession(app.database.lone, claims.sid)
    return await reply.code(204).send()
  })
}
