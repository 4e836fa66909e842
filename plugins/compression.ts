import compress from '@fastify/compress'
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { encodings, threshold } from '../src/http/representation.ts'

/** Compresses the answers of routes with the option `compress: {}`. The page cache compresses pages and records itself. */
export default fp(async function compression (app: FastifyInstance) {
  await app.register(compress, { global: false, globalDecompression: false, encodings, threshold })
}, { name: 'compression' })
