import { randomBytes } from 'node:crypto'
import Fastify, { LogController, type FastifyInstance, type FastifyServerOptions } from 'fastify'
import obra, { type AppOptions } from './app.ts'
import { trustProxy } from './config.ts'

const processId = randomBytes(6).toString('base64url')
let requests = 0

/** Builds a server, ready to listen or to be injected into. */
export async function buildServer (options: AppOptions): Promise<FastifyInstance> {
  const { config } = options
  const server: FastifyServerOptions = {
    logger: { level: config.LOG_LEVEL },
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: trustProxy(config),
    genReqId: request => {
      const given = request.headers['x-request-id']
      return typeof given === 'string' && /^[\w.:-]{1,128}$/.test(given) ? given : `${processId}-${(++requests).toString(36)}`
    },
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 200 }
  }
  const app = Fastify(server)
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id)
  })
  await app.register(obra, options)
  await app.ready()
  return app
}
