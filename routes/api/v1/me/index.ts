import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { makeActive, readMe } from '../../../../src/domain/accounts/me.ts'
import { refuse } from '../../../../src/http/errors.ts'
import { digestTag, namedTag } from '../../../../src/http/representation.ts'
import { kinds } from '../../../../src/http/route-kinds.ts'
import { AccountId, AccountReferenceInput, Nullable, ReadOnly } from '../../../../src/resources/declaration/schemas.ts'
import { requireLiveCaller } from '../../../../src/auth/authority.ts'

const Me = Type.Object({
  id: AccountId,
  email: Type.String({ description: 'Email address for log-in.', examples: ['director@demo.example'] }),
  nombre: Type.String({ description: 'Display name.', examples: ['Daniela Director'] }),
  nivel_acceso: Nullable(Type.Integer({ minimum: 1, maximum: 6 }), {
    description: 'Access level in the active company. Null without one.',
    examples: [3]
  }),
  company: Nullable(AccountId, { description: 'Active company.', examples: [1] }),
  companies: Type.Array(Type.Object({
    id: Type.Integer({ ...AccountId, examples: [1] }),
    nombre: Type.String({ examples: ['Obra Norte'] }),
    nivel_acceso: Type.Integer({ minimum: 1, maximum: 6, description: 'Access level in that company.', examples: [3] })
  }), { description: 'Companies that the user can make active.' })
}, { title: 'Me' })

const MePatch = Type.Partial(Type.Object({
  company: Nullable(AccountReferenceInput, { description: 'Company to make active, or null for none.', examples: [1] }),
  id: ReadOnly,
  email: ReadOnly,
  nombre: ReadOnly,
  nivel_acceso: ReadOnly,
  companies: ReadOnly
}), { additionalProperties: false, title: 'MePatch' })

export default async function meRoutes (instance: FastifyInstance) {
  const app = instance.withTypeProvider<TypeBoxTypeProvider>()
  const { lone } = app.database

  app.get('/', {
    config: { access: 'account', kind: kinds.read },
    onSend: tagged,
    schema: { tags: ['me'], operationId: 'retrieveMe', summary: "Retrieve the caller's account and companies", response: { 200: Me } }
  }, async ({ caller }) => await readMe(lone, caller.user))

  app.patch('/', {
    config: { access: 'account', kind: kinds.command },
    schema: { tags: ['me'], operationId: 'partialUpdateMe', summary: 'Change the active company', body: MePatch, response: { 200: Me } }
  }, async ({ body: { company }, caller }) => {
    if (company !== undefined && !await makeActive(lone, caller, company)) {
      await requireLiveCaller(lone, caller)
      refuse([{ field: 'company', key: 'companyUnreachable' }])
    }
    return await readMe(lone, caller.user)
  })
}

/** The caller's account has no revision, so its ETag is a digest of the answer. */
async function tagged (request: FastifyRequest, reply: FastifyReply, body: unknown): Promise<unknown> {
  if (reply.statusCode !== 200 || typeof body !== 'string') return body
  const tag = digestTag(body)
  reply.header('etag', tag)
  if (namedTag(request.headers['if-none-match'], tag) === undefined) return body
  reply.code(304).removeHeader('content-type').removeHeader('content-language')
  return null
}
