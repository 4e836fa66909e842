import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import type { FastifyInstance } from 'fastify'
import { limits } from '../../../../src/config/limits.ts'
import { httpError } from '../../../../src/http/errors.ts'
import { kinds } from '../../../../src/http/route-kinds.ts'
import { TokenPair, TooManyLogIns, WrongCredentials } from '../../../../src/auth/schemas.ts'
import { limitHashing } from '../../../../src/limits/hashing.ts'
import { logIn } from '../../../../src/auth/log-in.ts'

const Credentials = Type.Object({
  email: Type.String({
    text: true,
    minLength: 1,
    maxLength: 254,
    description: 'Email address. Case is ignored.',
    examples: ['director@demo.example']
  }),
  password: Type.String({ minLength: 1, maxLength: 1024, writeOnly: true, examples: ['demo-obra-1'] })
}, { additionalProperties: false, title: 'Credentials' })

export default async function tokenAuthRoutes (instance: FastifyInstance) {
  const app = instance.withTypeProvider<TypeBoxTypeProvider>()
  app.post('/', {
    config: { access: 'public', kind: kinds.command },
    bodyLimit: limits.bodies.token,
    schema: {
      tags: ['tokens'],
      operationId: 'logIn',
      summary: 'Log in',
      body: Credentials,
      response: { 200: TokenPair, 401: WrongCredentials, 429: TooManyLogIns }
    }
  }, async (request) => {
    const { email, password } = request.body
    const pair = await app.throttleLogIn(request, email, async (account) => {
      const proven = await logIn(app.database.lone, account, password, async work => await limitHashing(request, work))
      return proven === undefined ? undefined : await app.tokens.open(proven)
    })
    if (pair === undefined) throw httpError(401, { code: 'no_active_account', key: 'noActiveAccount' })
    return pair
  })
}
