import { readFileSync } from 'node:fs'
import Fastify from 'fastify'
import { contracts } from '../src/domain/contracts/resource.ts'
import { Paged } from '../src/resources/declaration/list-schemas.ts'

/**
 * The yardstick: a bare Fastify server in its own process, whose only route serializes the object of the hot list by the same
 * schema. No authentication, database or hooks: the cost of Fastify itself on this machine at this time.
 * Argument: a file with the bytes of the hot list.
 */
const list = JSON.parse(readFileSync(process.argv[2] as string, 'utf8'))
const app = Fastify()
app.get('/api/v1/contracts/', { schema: { response: { 200: Paged(contracts.schemas.item) } } }, async () => list)
await app.listen({ host: '127.0.0.1', port: Number(process.env['PORT']) })
