import type { FastifyInstance } from 'fastify'
import { limits } from '../../../../src/config/limits.ts'
import { may } from '../../../../src/auth/authority.ts'
import { changes, exampleMutations } from '../../../../src/domain/changes.ts'
import { resources } from '../../../../src/domain/resources.ts'
import { refuse, sayIn } from '../../../../src/http/errors.ts'
import type { RouteKind } from '../../../../src/http/route-kinds.ts'
import { mutate } from '../../../../src/resources/mutations/mutate.ts'
import { shapeProblems } from '../../../../src/resources/mutations/prepare.ts'
import { mutationSchemas, type MutationRequest } from '../../../../src/resources/mutations/schemas.ts'
import { callerOf } from '../../../../src/limits/caller.ts'
import { schemaProblems } from '../../../../src/resources/writing/input.ts'

const kind: RouteKind = { fails: ['ForbiddenToDevice', 'DeviceConflict', 'Resync', 'TooLarge', 'UnsupportedMediaType'] }

export default async function mutationsRoutes (app: FastifyInstance) {
  const { body, answer } = mutationSchemas(resources.map(({ name }) => name), exampleMutations)

  app.post<{ Body: MutationRequest }>('/', {
    config: { access: 'read', kind },
    attachValidation: true,
    bodyLimit: limits.bodies.mutations,
    // A level that may write nothing gets a refusal per mutation. It must not have megabytes parsed for them.
    onRequest: async (request) => {
      if (!may(request.tenant.level, 'edit')) request.ownBodyLimit = limits.bodies.refusedMutations
    },
    schema: {
      tags: ['mutations'],
      operationId: 'sendMutations',
      summary: "Run a device's edits",
      description,
      body,
      response: { 200: answer }
    }
  }, async function sendMutations (request) {
    refuse([...schemaProblems(request), ...shapeProblems(request.body)])
    return await mutate(request.tenant, changes, resources, request.body, sayIn(request.messageLanguage()), callerOf(request))
  })
}

const description =
  `Up to ${limits.bodies.mutationsOfRequest} mutations, in order, in one transaction. ` +
  'Each has its own result; a refused one writes nothing and does not stop the others. ' +
  'A repeated mutation gets its stored result, however late, until the device acknowledges it. ' +
  'References to new records are `{"ref": …}`. An update with `base` is refused with 409 if an edited field has another value now.'
