import Fastify, { type FastifyInstance, type FastifyServerOptions } from 'fastify'
import obra from '../app.ts'
import { trustProxy } from '../config.ts'
import type { AppOptions } from './app-options.ts'
import { malformedRequest, ValidationError } from '../http/errors.ts'
import { listFormats, usualFormats } from '../http/list-formats.ts'
import { bodyLimits } from '../http/body-limits.ts'
import { answerClientError } from './client-error.ts'
import { loggedError } from './logged-error.ts'
import { limitConnections } from '../limits/connection-limit.ts'
import { boundPipelines } from '../limits/connections.ts'
import { normalizeTarget, targetProblems } from './request-target.ts'
import { isHost, requestId, RequestLog, routeOf } from './requests.ts'
import { isProbe } from '../limits/caller.ts'
import { securityHeaders } from './security-headers.ts'

/**
 * Timeouts in ms. A request whose headers or body arrive later gets 408. A connection without traffic is closed. Idle connections are kept
 * longer than proxies keep theirs. Handlers are limited by the timeouts of their statements (src/database/connection/orm.ts).
 */
const timeouts = {
  http: { headersTimeout: 15_000, connectionsCheckingInterval: 1000 },
  requestTimeout: 60_000,
  connectionTimeout: 60_000,
  keepAliveTimeout: 72_000
}

/** Builds a server, ready for `listen` or `inject`. */
export async function buildServer (options: AppOptions): Promise<FastifyInstance> {
  const { config } = options
  const server: FastifyServerOptions = {
    logger: { level: config.LOG_LEVEL, serializers: { err: loggedError } },
    logController: new RequestLog(config),
    trustProxy: trustProxy(config),
    genReqId: requestId,
    clientErrorHandler: (error, socket) => answerClientError(error, socket, config.DEFAULT_LANGUAGE),
    ...timeouts,
    bodyLimit: bodyLimits.record,
    // Requests on open connections are still answered during a shutdown, each as the last one of its connection.
    return503OnClosing: false,
    rewriteUrl: normalizeTarget,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 65_536 }
  }
  const app = Fastify(server)
  boundPipelines(app)
  const safe = securityHeaders(config)
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(safe).header('x-request-id', request.id)
    // Links contain the host. HTTP/1.0 allows requests without one.
    if (!isHost(request.host) && (request.host !== '' || request.headers.host !== undefined)) return done(malformedRequest())
    const problems = targetProblems(request.originalUrl, request.routeOptions.config?.csv === true ? listFormats : usualFormats)
    done(problems.length === 0 ? undefined : new ValidationError(problems))
  })
  limitConnections(app, config.MAX_CONNECTIONS, request => isProbe(routeOf(request)))
  closeIdleConnections(app)
  await app.register(obra, options)
  await app.ready()
  return app
}

/** During a shutdown, connections that become idle would keep the server open until their timeout. */
function closeIdleConnections (app: FastifyInstance): void {
  let sweep: NodeJS.Timeout
  app.addHook('preClose', async () => {
    sweep = setInterval(() => app.server.closeIdleConnections(), 100)
  })
  app.addHook('onClose', async () => clearInterval(sweep))
}
