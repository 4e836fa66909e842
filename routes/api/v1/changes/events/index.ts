import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { Type } from '@sinclair/typebox'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { limits } from '../../../../../src/config/limits.ts'
import { changes } from '../../../../../src/domain/changes.ts'
import { httpError } from '../../../../../src/http/errors.ts'
import { negotiated } from '../../../../../src/http/media.ts'
import { isSameRevision } from '../../../../../src/http/representation.ts'
import type { RouteKind } from '../../../../../src/http/route-kinds.ts'
import type { FeedCursor, FeedQuery } from '../../../../../src/resources/feed/cursor.ts'
import { isCurrent } from '../../../../../src/resources/feed/feed.ts'
import { waitForChange } from '../../../../../src/resources/feed/wait.ts'

/** Seconds after which session, level and company are checked again. */
const checkInterval = 60
/** Pause in ms after an event. Revisions that follow each other quickly become one event. */
const pause = 100
/** Time in ms in which a slow reader must take an event. */
const longestSend = limits.connections.eventMs

const exampleEvent = 'id: hNj8z1.1..t5.hofx3v48nc.t5.a-2f-6\nevent: revision\ndata: {"revision":1043}\n\n'

const Events = {
  description: 'Server-sent events.',
  content: { 'text/event-stream': { schema: Type.String({ examples: [exampleEvent] }) } }
}

const kind: RouteKind = { takes: ['LastEventId'], sends: ['X-Accel-Buffering'], fails: ['CompanyChanged', 'Resync'] }

export default async function changeEventsRoutes (app: FastifyInstance) {
  app.get<{ Querystring: FeedQuery }>('/', {
    sse: 'manual',
    exposeHeadRoute: false,
    config: { access: 'read', kind, notJson: true },
    schema: {
      tags: ['changes'],
      operationId: 'streamRevisions',
      summary: 'Stream the revisions of the company',
      description,
      querystring: changes.schemas.streamQuery,
      response: { 200: Events }
    }
  }, async (request, reply) => {
    if (negotiated(request.headers.accept, ['text/event-stream']) === undefined) throw httpError(406)
    const { company } = request.tenant
    const { sse } = reply
    app.countWait(request, reply)
    const start = await startOf(request)
    let sent = isCurrent(start, request.tenant) ? start.seen : undefined
    sse.sendHeaders()
    reply.raw.flushHeaders()
    let goesOn = true
    // The status is sent, so an error can only end the stream.
    while (goesOn && request.tenant.company === company) {
      const { tenant } = request
      if (sent === undefined || !isSameRevision(sent, tenant)) {
        sent = tenant
        const event = { id: changes.cursorAt(start, tenant), event: 'revision', data: { revision: tenant.revision } }
        const isTaken = await sentInTime(reply, sse.send(event))
        if (!isTaken) break
        request.beginWait()
        await sleep(pause)
        request.endWait()
      }
      goesOn = await waitForChange(request, reply, checkInterval).catch((err) => {
        request.log.debug({ err }, 'the stream of revisions ends')
        return false
      })
    }
    // `return reply` would wait for the end of the answer, which `@fastify/sse` writes after this handler.
  })
}

/** @returns whether the event was written. Otherwise the client has disconnected, or is too slow: then its connection is closed. */
async function sentInTime ({ raw }: FastifyReply, sending: Promise<void>): Promise<boolean> {
  const isSent = sending.then(() => true, () => false)
  if (!raw.writableNeedDrain) return await isSent
  const over = new AbortController()
  const { signal } = over
  const isOver = Promise.race([once(raw, 'close', { signal }), sleep(longestSend, undefined, { signal })]).then(() => false, () => false)
  const isTaken = await Promise.race([isSent, isOver])
  over.abort()
  if (!isTaken) raw.destroy()
  return isTaken
}

/** The cursor of `Last-Event-ID`, or one at the start, with the records of the query. @throws as the feed for its cursor */
async function startOf ({ tenant, headers, query }: FastifyRequest<{ Querystring: FeedQuery }>): Promise<FeedCursor> {
  const id = headers['last-event-id']
  const cursor = changes.cursorOf(id === undefined ? query : { ...query, cursor: String(id) }, tenant.company)
  // Throws 410 if the cursor cannot be continued.
  if (id !== undefined && !isCurrent(cursor, tenant)) await changes.page(tenant, cursor, 1)
  return cursor
}

const description =
  'Sends an event `revision` when the revision of the company has changed, and the present one at the start. ' +
  '`id` is a cursor for `resources` and `contracts`; the stream has every revision of the company, whatever they are. ' +
  'With `Last-Event-ID` the stream starts there, or is refused as in the change feed. ' +
  'The stream ends when the session, the level or the active company no longer allow it.'
