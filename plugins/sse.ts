import { fastifySSE } from '@fastify/sse'
import fp from 'fastify-plugin'

/** Server-sent events, with a comment every 15 s for proxies that close idle connections. */
export default fp(async function serverSentEvents (app) {
  await app.register(fastifySSE, { heartbeatInterval: 15_000 })
}, { name: 'sse' })
