import { AsyncLocalStorage } from 'node:async_hooks'
import { defaultTextMapGetter, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace, type Context } from '@opentelemetry/api'
import { W3CTraceContextPropagator } from '@opentelemetry/core'
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import type { Config } from '../src/config.ts'
import { shownPath } from '../src/server/request-log.ts'
import { isProbe, routeOf } from '../src/http/route.ts'
import { openExport } from '../src/server/tracing/export.ts'
import { traceWork } from '../src/server/tracing/work.ts'

/**
 * Traces: a span a request, with those of what it asked the database for below it. It comes before all other plugins, so that it sees what
 * these refuse. A span holds what the request log does: no header but the caller's request id, no query, no body, no value of a statement.
 */
export default fp(async function tracing (app: FastifyInstance, { config }: { config: Config }) {
  const { tracer, close } = openExport(config, app.log)
  const active = new AsyncLocalStorage<Context>()
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
  // A body comes by events of the connection, which know of no request: from here on it is again known which one is served.
  app.addHook('preValidation', (request, _reply, done) => {
    const context = contexts.get(request)
    if (context === undefined) done()
    else active.run(context, done)
  })
  app.addHook('onClose', async () => {
    stopTracingWork()
    await close()
  })
}, { name: 'tracing' })
