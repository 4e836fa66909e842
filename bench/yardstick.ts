import { readFileSync } from 'node:fs'
import Fastify from 'fastify'
import { contracts } from '../src/domain/contracts/resource.ts'
import { bytesPath } from '../test/support/trial/calls.ts'

/**
 * The yardsticks: a bare Fastify server in its own process, without authentication, database or hooks. One route serializes the object of
 * the hot list by the same schema, the other one sends the same bytes from memory. They show the cost of Fastify itself on this machine at
 * this time. Argument: a file with the bytes of the hot list.
 */
const bytes = readFileSync(process.argv[2])
const list = JSON.parse(bytes.toString())
const app = Fastify()
app.get('/api/v1/contracts/', { schema: { response: { 200: contracts.schemas.page } } }, async () => list)
app.get(bytesPath, async (_request, reply) => reply.header('content-type', 'application/json; charset=utf-8').send(bytes))
await app.listen({ host: '127.0.0.1', port: Number(process.env['PORT']) })
