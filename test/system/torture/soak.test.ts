import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { setImmediate as turn } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { FastifyInstance } from 'fastify'
import t from 'tap'
import { buildServer } from '../../../src/server/fastify.ts'
import { loadConfig } from '../../../src/config.ts'
import { logIn, openTestDatabase, secret } from '../../support/helper.ts'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

const rounds = 12

t.test('no object of a request stays in memory after its answer', async (t) => {
  const { database } = await openTestDatabase(t)
  const seen: Array<WeakRef<object>> = []
  const statuses = new Set<number>()
  // An onRequest hook before all others sees every request, also one without a handler.
  const look = (message: unknown) => {
    const { fastify } = message as { fastify: FastifyInstance }
    fastify.addHook('onResponse', (request, reply, done) => {
      for (const one of [request, request.raw, request.tenant, reply]) if (one !== undefined) seen.push(new WeakRef(one))
      statuses.add(reply.statusCode)
      done()
    })
  }
  subscribe('fastify.initialization', look)
  t.teardown(() => unsubscribe('fastify.initialization', look))
  // Built without the check against the OpenAPI document, which keeps answers for a while.
  const app = await buildServer({ config: { ...loadConfig({ LOG_LEVEL: 'silent' }), JWT_SECRET: secret, RATE_LIMIT: 'off' }, database })
  t.teardown(async () => await app.close())
  const director = await logIn(app, 'director@demo.example')
  const [{ id }] = (await director.get('contracts/?page_size=1')).json().results
  const ask = async (round: number) => {
    const { headers: { etag } } = await director.get(`contracts/${id}/`)
    await Promise.all([
      director.get('contracts/?search=obra'),
      director.get(`contracts/${id}/`, { 'if-none-match': etag as string }),
      director.get('contracts/1999999999/'),
      director.get('contracts/?page_size=x'),
      director.post('contracts/', { folio: `LARGO-${round}` }, { 'idempotency-key': `largo ${round}` }),
      director.send('PATCH', `contracts/${id}/`, { descripcion: `vez ${round}` }, { 'if-match': '"1.1.x.0"' }),
      director.send('PATCH', `contracts/${id}/`, { descripcion: `vez ${round}` }),
      app.inject({ url: '/api/v1/contracts/', headers: { authorization: 'Bearer none' } })
    ])
  }
  for (let round = 0; round < rounds; round++) await ask(round)

  t.strictSame([...statuses].sort(), [200, 201, 304, 400, 401, 404, 412], 'answers of every kind')
  t.ok(seen.length > rounds * 9 * 3, 'the objects of every request were recorded')
  for (let time = 0; time < 3; time++) {
    await turn()
    collect()
  }
  const kept = seen.filter(one => one.deref() !== undefined).length
  t.ok(kept < rounds, `${kept} of ${seen.length} are still in memory`)
})
