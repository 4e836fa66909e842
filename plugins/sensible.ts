import sensible from '@fastify/sensible'
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'

/** `app.assert` and `app.httpErrors`. Their errors become answers in the `errors` plugin. */
export default fp(async function sensibleErrors (app: FastifyInstance) {
  await app.register(sensible)
}, { name: 'sensible' })
