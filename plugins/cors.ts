import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import type { Config } from '../src/config.ts'
import { corsHeaders, corsOrigins, exposedHeaders } from '../src/server/cors-headers.ts'

/** Lets browsers of the origins in CORS_ORIGINS call the API. */
export default fp(async function cors (app: FastifyInstance, { config }: { config: Config }) {
  const origins = corsOrigins(config)
  if (origins.length === 0) return
  await app.register(import('@fastify/cors'), {
    origin: origins,
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    exposedHeaders,
    maxAge: 600,
    // OPTIONS without the headers of a preflight gets the same answer, not 400.
    strictPreflight: false
  })
  // Earlier hooks refuse requests. Without these headers, scripts cannot read why.
  app.addHook('onSend', function allowOrigin ({ headers: { origin } }, reply, _payload, done) {
    if (!reply.hasHeader('access-control-allow-origin')) reply.headers(corsHeaders(origin, origins))
    done()
  })
}, { name: 'cors', dependencies: ['shedding'] })
