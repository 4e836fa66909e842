import { Type } from '@sinclair/typebox'
import type { FastifyInstance } from 'fastify'
import { changeOwnPassword, isOwnPassword, ownPassword } from '../../../../../src/accounts/own-password.ts'
import { refuse } from '../../../../../src/errors.ts'
import { fieldsOf } from '../../../../../src/resources/input.ts'
import { NewPassword } from '../../../../../src/schemas/fields.ts'
import { TooManyLogIns } from '../../../../../src/schemas/tokens.ts'

const Change = Type.Object({
  current: Type.String({ minLength: 1, maxLength: 1024, writeOnly: true, description: 'the present password', examples: ['the present one'] }),
  new: NewPassword
}, { additionalProperties: false, title: 'PasswordChange' })

export default async function ownPasswordRoutes (app: FastifyInstance) {
  const { sql } = app.database

  app.post('/', {
    config: { access: 'account' },
    attachValidation: true,
    schema: { operationId: 'changePassword', summary: "Change one's password; one's other sessions end", body: Change, response: { 204: Type.Null(), 429: TooManyLogIns } }
  }, async (request, reply) => {
    const { user, sid } = request.caller
    const { values, problems } = fieldsOf(request, ['current', 'new'])
    const { current, new: password } = values as { current?: string, new?: string }

    const kept = await ownPassword(sql, user)
    // Guesses count as failed log-ins do, whatever else is wrong with the request.
    const right = current !== undefined && await app.throttleLogIn(request, kept.email, async () => await isOwnPassword(kept, current) || undefined)
    if (current !== undefined && right !== true) problems.push({ field: 'current', key: 'wrongPassword' })
    refuse(problems)

    if (!await changeOwnPassword(sql, user, sid, kept, password as string)) refuse([{ field: 'current', key: 'wrongPassword' }])
    return await reply.code(204).send()
  })
}
