import Fastify, { type FastifyInstance, type FastifyServerOptions } from 'fastify'
import { limits } from '../config/limits.ts'
import obra from '../app.ts'
import { trustProxy } from '../config.ts'
import type { AppOptions } from './app-options.ts'
import { answerClientError } from './client-error.ts'
import { loggedError } from './logged-error.ts'
import { boundPipelines, limitConnections } from '../limits/connections.ts'
import { checkRequests, followRequests, prepareRequest, requestId, routeOf } from './prepare-request.ts'
import { requestLog } from './request-log.ts'
import { isProbe } from '../limits/caller.ts'
import { securityHeaders } from './security-headers.ts'

/**
 * Timeouts in ms. A request whose headers or body arrive later gets 408. A connection without traffic is closed. Idle connections are kept
 * longer than proxies keep theirs. Handlers are limited by the timeouts of their statements (src/database/connection/orm.ts).
 */
const timeouts = {
  http: { headersTimeout: limits.connections.headersMs, connectionsCheckingInterval: 1000, maxHeaderSize: limits.headers.bytes },
  requestTimeout: limits.connections.requestMs,
  connectionTimeout: limits.connections.silentMs,
  keepAliveTimeout: limits.connections.keptMs
}

/** Builds a server, ready for `listen` or `inject`. */
export async function buildServer (options: AppOptions): Promise<FastifyInstance> {
  const { config } = options
  const server: FastifyServerOptions = {
    logger: { level: config.LOG_LEVEL, serializers: { err: loggedError } },
    logController: requestLog(config),
    trustProxy: trustProxy(config),
    genReqId: requestId,
    clientErrorHandler: (error, socket) => answerClientError(error, socket, config),
    ...timeouts,
    bodyLimit: limits.bodies.record,
    // Requests on open connections are still answered during a shutdown, each as the last one of its connection.
    return503OnClosing: false,
    rewriteUrl: prepareRequest,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 65_536 }
  }
  const app = Fastify(server)
  boundPipelines(app)
  followRequests(app)
  checkRequests(app, securityHeaders(config))
  limitConnections(app, config.MAX_CONNECTIONS, request => isProbe(routeOf(request)))
  closeIdleConnections(app)
  logFailedConnections(app)
  await app.register(obra, options)
  await app.ready()
  return app
}

/** A listening server emits `error` if the system cannot accept a connection. Without a listener, this would end the process. */
function logFailedConnections (app: FastifyInstance): void {
  app.addHook('onListen', (done) => {
    app.server.on('error', err => app.log.error({ err }, 'a connection was not accepted'))
    done()
  })
}

/** During a shutdown, connections that become idle would keep the server open until their timeout. */
function closeIdleConnections (app: FastifyInstance): void {
  let sweep: NodeJS.Timeout
  app.addHook('preClose', async () => {
    sweep = setInterval(() => app.server.closeIdleConnections(), 100)
  })
  app.addHook('onClose', async () => clearInterval(sweep))
}
