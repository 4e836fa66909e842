import { Type } from '@sinclair/typebox'
import type { FastifyInstance } from 'fastify'
import { limits } from '../../../../../src/config/limits.ts'
import { changeOwnPassword, ownPassword, provesPassword } from '../../../../../src/domain/accounts/own-password.ts'
import { refuse } from '../../../../../src/http/errors.ts'
import { kinds } from '../../../../../src/http/route-kinds.ts'
import { limitHashing } from '../../../../../src/limits/hashing.ts'
import { inputOf } from '../../../../../src/resources/writing/input.ts'
import { NewPassword } from '../../../../../src/resources/declaration/schemas.ts'
import { TooManyLogIns } from '../../../../../src/auth/schemas.ts'
import { requireLiveCaller } from '../../../../../src/auth/authority.ts'
import { hashPassword } from '../../../../../src/auth/passwords.ts'

const Change = Type.Object({
  current: Type.String({ minLength: 1, maxLength: 1024, writeOnly: true, description: 'Current password.', examples: ['the present one'] }),
  new: NewPassword
}, { additionalProperties: false, title: 'PasswordChange' })

export default async function ownPasswordRoutes (app: FastifyInstance) {
  const { lone } = app.database

  app.post('/', {
    config: { access: 'account', kind: kinds.command },
    bodyLimit: limits.bodies.password,
    attachValidation: true,
    schema: {
      tags: ['me'],
      operationId: 'changePassword',
      summary: "Change the caller's password and end the other sessions",
      body: Change,
      response: { 204: Type.Null(), 429: TooManyLogIns }
    }
  }, async (request, reply) => {
    const { caller } = request
    const { values, problems } = inputOf(request, { writable: ['current', 'new'], columns: {} })
    const { current, new: password }: { current?: string, new?: string } = values

    const stored = await ownPassword(lone, caller.user)
    // A wrong password counts as a guess even if the rest of the request is invalid.
    if (current !== undefined && !await provesPassword(request, stored, current)) problems.push({ field: 'current', key: 'wrongPassword' })
    refuse(problems)

    app.assert(password !== undefined, 400)
    const encoded = await limitHashing(request, async () => await hashPassword(password))
    if (!await changeOwnPassword(lone, caller, stored, encoded)) {
      await requireLiveCaller(lone, caller)
      refuse([{ field: 'current', key: 'wrongPassword' }])
    }
    return await reply.code(204).send()
  })
}
