import type { FastifyInstance } from 'fastify'
import { changes } from '../../../../src/domain/changes.ts'
import type { RouteKind } from '../../../../src/http/route-kinds.ts'
import type { FeedQuery } from '../../../../src/resources/feed/cursor.ts'
import { isCurrent } from '../../../../src/resources/feed/feed.ts'
import { defaultChanges } from '../../../../src/resources/feed/schemas.ts'
import { preferredWait, waitForChange } from '../../../../src/resources/feed/wait.ts'

/** A single change compresses to two thirds. Most answers have no more, and devices often pay for data. */
const compressFrom = 300

const kind: RouteKind = { takes: ['IfNoneMatch', 'Prefer'], sends: ['ETag', 'Preference-Applied'], fails: ['CompanyChanged', 'Resync'] }

export default async function changesRoutes (app: FastifyInstance) {
  app.get<{ Querystring: FeedQuery }>('/', {
    config: { access: 'read', kind, sql: changes.form, compressFrom },
    schema: {
      tags: ['changes'],
      operationId: 'listChanges',
      summary: 'List the changes of all records',
      description,
      querystring: changes.schemas.query,
      response: { 200: changes.schemas.page }
    },
    // In a hook, because a suspended handler takes more memory.
    preHandler: async (request, reply) => {
      const { query, tenant, headers: { prefer } } = request
      const seconds = preferredWait(prefer)
      if (seconds > 0 && isCurrent(changes.cursorOf(query, tenant.company), tenant)) await waitForChange(request, reply, seconds)
    },
    onSend: async ({ headers: { prefer } }, reply) => {
      if (reply.statusCode < 400 && preferredWait(prefer) > 0) reply.header('preference-applied', 'wait')
    }
  }, async (request, reply) => {
    const { query, tenant } = request
    const cursor = changes.cursorOf(query, tenant.company)
    return await reply.sendCached(async () => await changes.page(tenant, cursor, query.page_size ?? defaultChanges, query.device))
  })
}

const description =
  'Without `cursor`, a snapshot of all records by resource and id; then the changes since its start, in the order of `revision`. ' +
  'Follow `cursor` until `has_more` is false: then the client has the state of `revision` exactly. ' +
  'A record can come again; keep the higher `version`, and the later record of one version. ' +
  '410 means: start without a cursor and replace all records.'
