import type { FastifyInstance, FastifyRequest } from 'fastify'
import { resources } from '../../../../src/domain/entities/index.ts'
import { cursorOf, ordered, schemaOf, type Cursor, type FeedQuery } from '../../../../src/resources/feed/cursor.ts'
import { changeFeed, isCurrent, startOf } from '../../../../src/resources/feed/feed.ts'
import { feedSchemas } from '../../../../src/resources/feed/schemas.ts'
import { preferredWait, waitForChange } from '../../../../src/resources/feed/wait.ts'

export default async function changesRoutes (app: FastifyInstance) {
  const read = changeFeed(resources)
  const { query, page } = feedSchemas(resources)

  app.get<{ Querystring: FeedQuery }>('/', {
    config: { access: 'read', sql: schemaOf(resources) },
    schema: { operationId: 'listChanges', summary: 'List the changes of all records', description, querystring: query, response: { 200: page } },
    onSend: async ({ headers: { prefer } }, reply) => {
      if (reply.statusCode < 400 && preferredWait(prefer) > 0) reply.header('preference-applied', 'wait')
    }
  }, async (request, reply) => {
    const seconds = preferredWait(request.headers.prefer)
    if (seconds > 0 && isCurrent(cursorIn(request), request.tenant)) {
      await waitForChange(request, reply, seconds)
      // Session, level and company can have changed during the wait.
      await app.authorize(request, reply, 'read')
    }
    const cursor = cursorIn(request)
    const { tenant, query: { page_size: size = 500 } } = request
    return await reply.sendCached(async () => await read(async (query, values) => await tenant.read(query, values), cursor, size, tenant))
  })
}

/** The request's cursor, or one at the start. @throws as {@link cursorOf} */
function cursorIn ({ query, tenant: { company } }: FastifyRequest<{ Querystring: FeedQuery }>): Cursor {
  return cursorOf(query, resources, company) ?? startOf(company, ordered(query.resources ?? resources.map(({ name }) => name), resources))
}

const description = 'Without `cursor`, a snapshot of all records by resource and id; then the changes since its start, in the order of `revision`. Follow `cursor` until `has_more` is false: then the client has the state of `revision` exactly. A record can come again; keep the higher `version`. 410 means: start without a cursor and replace all records.'
