import { Type } from '@sinclair/typebox'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { changes } from '../../../../../src/domain/changes.ts'
import { httpError } from '../../../../../src/http/errors.ts'
import type { Revision } from '../../../../../src/http/representation.ts'
import { isCurrent } from '../../../../../src/resources/feed/feed.ts'
import { waitForChange } from '../../../../../src/resources/feed/wait.ts'

/** Seconds after which session, level and company are checked again. */
const checkInterval = 60

export default async function changeEventsRoutes (app: FastifyInstance) {
  app.get('/', {
    sse: 'manual',
    exposeHeadRoute: false,
    config: { access: 'read', notJson: true },
    schema: { operationId: 'streamRevisions', summary: 'Stream the revisions of the company', description, response: { 200: { description: 'Server-sent events.', content: { 'text/event-stream': { schema: Type.String({ examples: ['id: WyJ4eHh4eHgiLDEs\nevent: revision\ndata: {"revision":1043}\n\n'] }) } } } } }
  }, async (request, reply) => {
    if (request.accepts().type(['text/event-stream']) === false) throw httpError(406)
    const { company } = request.tenant
    const { sse } = reply
    let sent = await positionOf(request)
    let goesOn = true
    while (goesOn && request.tenant.company === company) {
      const { tenant } = request
      if (sent?.revision !== tenant.revision || sent.stamp !== tenant.stamp) {
        // Waits for a slow reader, which then gets the newest revision.
        await sse.send({ id: changes.printAt(company, tenant), event: 'revision', data: { revision: tenant.revision } })
        sent = tenant
      }
      // The stream ends without an error: its status is sent already.
      goesOn = await waitForChange(request, reply, checkInterval).catch(() => false)
    }
    return reply
  })
}

/** The revision of `Last-Event-ID`. @throws as the feed for its cursor */
async function positionOf ({ tenant, headers }: FastifyRequest): Promise<Revision | undefined> {
  const id = headers['last-event-id']
  if (id === undefined) return undefined
  const cursor = changes.cursorOf({ cursor: String(id) }, tenant.company)
  if (!isCurrent(cursor, tenant)) await changes.page(tenant, cursor, 1)
  return cursor.seen
}

const description = 'Sends an event `revision` when the revision of the company has changed, and the present one at the start. `id` is a cursor; with `Last-Event-ID` the stream starts there, or is refused as in the change feed. The stream ends when the session, the level or the active company no longer allow it.'
