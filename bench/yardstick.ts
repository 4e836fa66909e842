import { readFileSync } from 'node:fs'
import Fastify from 'fastify'
import { contracts } from '../src/domain/contracts/resource.ts'
import { Paged } from '../src/resources/declaration/list-schemas.ts'

/**
 * The yardstick: a bare Fastify server, in a process of its own, whose one route serializes the hot list's object by the hot
 * list's schema. No auth, no database, no hooks: what Fastify itself costs on this machine, in this hour.
 * Argument: a file with the hot list's bytes.
 */
const list = JSON.parse(readFileSync(process.argv[2] as string, 'utf8'))
const app = Fastify()
app.get('/api/v1/contracts/', { schema: { response: { 200: Paged(contracts.schemas.item) } } }, async () => list)
await app.listen({ host: '127.0.0.1', port: Number(process.env['PORT']) })
