import { AsyncLocalStorage } from 'node:async_hooks'
import { defaultTextMapGetter, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace, type Context } from '@opentelemetry/api'
import { W3CTraceContextPropagator } from '@opentelemetry/core'
import type { FastifyInstance } from 'fastify'
import type { Config } from '../../config.ts'
import { isProbe } from '../../limits/caller.ts'
import { shownPath } from '../request-log.ts'
import { routeOf } from '../prepare-request.ts'
import { openExport } from './export.ts'
import { traceWork } from './work.ts'

/**
 * Traces a server: one span per request, with child spans for its work in the database. A span has the same data as a line of the request
 * log: no header except the caller's request id, no query, no body, no values of statements.
 */
export function traceRequests (app: FastifyInstance, config: Config): void {
  const { tracer, close } = openExport(config, app.log)
  const active = new AsyncLocalStorage<Context | undefined>()
  const propagator = new W3CTraceContextPropagator()
  const stopTracingWork = traceWork(tracer, active)
  const contexts = new WeakMap<object, Context>()

  app.addHook('onRequest', (request, { raw }, done) => {
    const { method, url, id, headers } = request
    const route = routeOf(request)
    if (isProbe(route)) return done()
    const caller = propagator.extract(ROOT_CONTEXT, headers, defaultTextMapGetter)
    const span = tracer.startSpan(route === undefined ? method : `${method} ${route}`, {
      kind: SpanKind.SERVER,
      attributes: { 'http.request.method': method, 'http.route': route, 'url.path': shownPath(url, route), 'obra.request_id': id }
    }, caller)
    raw.on('close', () => {
      span.setAttribute('http.response.status_code', raw.statusCode)
      if (raw.statusCode >= 500 || !raw.writableEnded) span.setStatus({ code: SpanStatusCode.ERROR })
      span.end()
    })
    const context = trace.setSpan(caller, span)
    contexts.set(request, context)
    active.run(context, done)
  })
  // The body arrives in events of the connection, which have no async context.
  app.addHook('preValidation', (request, _reply, done) => {
    const context = contexts.get(request)
    if (context === undefined) done()
    else active.run(context, done)
  })
  app.addHook('onClose', async () => {
    stopTracingWork()
    await close()
  })
}
