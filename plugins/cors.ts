import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import type { Config } from '../src/config.ts'

/** Response headers that scripts of another origin may read. */
const exposed = [
  'Accept-Ranges',
  'Content-Disposition',
  'Content-Range',
  'Deprecation',
  'ETag',
  'Idempotency-Replayed',
  'Location',
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
  'Retry-After',
  'Sunset',
  'Tus-Extension',
  'Tus-Max-Size',
  'Tus-Resumable',
  'Tus-Version',
  'Upload-Expires',
  'Upload-Length',
  'Upload-Offset',
  'X-Request-Id'
]

/** Lets browsers of the origins in CORS_ORIGINS call the API. */
export default fp(async function cors (app: FastifyInstance, { config }: { config: Config }) {
  if (config.CORS_ORIGINS === undefined) return
  await app.register(import('@fastify/cors'), {
    origin: config.CORS_ORIGINS.split(',').map(origin => origin.trim()),
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    exposedHeaders: exposed,
    maxAge: 600,
    // OPTIONS without the headers of a preflight gets the same answer, not 400.
    strictPreflight: false
  })
}, { name: 'cors', dependencies: ['shedding'] })
