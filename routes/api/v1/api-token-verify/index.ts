import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import type { FastifyInstance } from 'fastify'
import { limits } from '../../../../src/config/limits.ts'
import { message } from '../../../../src/http/messages.ts'
import { kinds } from '../../../../src/http/route-kinds.ts'
import { AccountId, Choice } from '../../../../src/resources/declaration/schemas.ts'
import { Refusal } from '../../../../src/http/refusal.ts'
import { exampleToken } from '../../../../src/auth/schemas.ts'
import { isLiveSession, isLiveRefreshToken } from '../../../../src/auth/sessions.ts'
import { tokenHash, type Claims } from '../../../../src/auth/claims.ts'

const Body = Type.Object({
  token: Type.String({ minLength: 1, description: 'Access or refresh token.', examples: [exampleToken] })
}, { additionalProperties: false, title: 'TokenToVerify' })
const Valid = Type.Object({
  valid: Type.Literal(true),
  token_type: Choice(['access', 'refresh'], { title: 'TokenType' }),
  user_id: AccountId,
  exp: Type.Integer({ description: 'Expiry, in seconds since 1970.', examples: [1772380800] })
}, { title: 'ValidToken' })
const NotValid = Refusal('token_not_valid', 'tokenExpired', { fields: { valid: false } })

export default async function tokenVerifyRoutes (instance: FastifyInstance) {
  const app = instance.withTypeProvider<TypeBoxTypeProvider>()
  const isAlive = async ({ token_type: type, sid, user_id: user, jti }: Claims) => type === 'refresh'
    ? await isLiveRefreshToken(app.database.lone, sid, user, tokenHash(jti))
    : await isLiveSession(app.database.lone, sid, user)

  app.post('/', {
    config: { access: 'account', kind: kinds.command },
    bodyLimit: limits.bodies.token,
    schema: {
      tags: ['tokens'],
      operationId: 'verifyToken',
      summary: 'Verify a token',
      description: 'A 401 with `"valid": false` refers to the token in the body; a 401 without it refers to the `Authorization` header.',
      body: Body,
      response: { 200: Valid, 401: NotValid }
    }
  }, async (request, reply) => {
    const claims = app.tokens.verify(request.body.token)
    const fault = typeof claims === 'string' ? claims : await isAlive(claims) ? undefined : 'tokenRevoked'
    if (typeof claims === 'object' && fault === undefined) {
      return { valid: true as const, token_type: claims.token_type, user_id: claims.user_id, exp: claims.exp }
    }
    reply.code(401).header('www-authenticate', 'Bearer realm="api"')
    return { valid: false as const, detail: message(request.messageLanguage(), fault ?? 'tokenInvalid'), code: 'token_not_valid' as const }
  })
}
