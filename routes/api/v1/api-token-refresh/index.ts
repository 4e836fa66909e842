import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import type { FastifyInstance } from 'fastify'
import { limits } from '../../../../src/config/limits.ts'
import { httpError } from '../../../../src/http/errors.ts'
import { kinds } from '../../../../src/http/route-kinds.ts'
import { RefreshBody, TokenPair } from '../../../../src/auth/schemas.ts'

export default async function tokenRefreshRoutes (instance: FastifyInstance) {
  const app = instance.withTypeProvider<TypeBoxTypeProvider>()
  app.post('/', {
    config: { access: 'refresh', kind: kinds.command },
    bodyLimit: limits.bodies.token,
    schema: {
      tags: ['tokens'],
      operationId: 'refreshTokens',
      summary: 'Refresh the tokens',
      description,
      body: RefreshBody,
      response: { 200: TokenPair }
    }
  }, async ({ body: { refresh }, caller }) => {
    const claims = app.tokens.verify(refresh, { type: 'refresh' })
    if (typeof claims === 'string') throw httpError(401, { code: 'token_not_valid', key: claims })
    if (claims.sid !== caller.sid || claims.user_id !== caller.user) throw httpError(401, { code: 'token_not_valid', key: 'tokenInvalid' })
    return await app.tokens.rotate(refresh, claims)
  })
}

const description =
  'Needs the header `Authorization: Bearer <access>` with an access token of the same session, which may have expired. ' +
  'A refresh token works once. If the answer was lost, repeat the request: it gets the next pair again until one of its tokens is used, ' +
  'and for 30 seconds in any case. Later reuse ends the session, because the token may have been stolen.'
