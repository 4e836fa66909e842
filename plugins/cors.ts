import cors from '@fastify/cors'
import type { FastifyInstance } from 'fastify'

/** Headers of answers that scripts of another origin may read beside the few that every browser shows. */
const exposed = ['ETag', 'Idempotency-Replayed', 'Location', 'RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset', 'Retry-After', 'X-Request-Id']

/** Lets browsers of the named origins call the API. @param origins CORS_ORIGINS */
export async function admitOrigins (app: FastifyInstance, origins: string): Promise<void> {
  await app.register(cors, {
    origin: origins.split(',').map(origin => origin.trim()),
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    exposedHeaders: exposed,
    maxAge: 600,
    // OPTIONS that is no preflight is answered like one, not by 400.
    strictPreflight: false
  })
}
