import Fastify from 'fastify'
import t from 'tap'
import obra from '../../../src/app.ts'
import { loadConfig } from '../../../src/config.ts'
import { Crowded } from '../../../src/database/turns/crowded.ts'
import { openTestDatabase, secret } from '../../support/helper.ts'

t.test('a request that took too long has a line with its id, and one that others kept out is counted', async (t) => {
  const { database } = await openTestDatabase(t)
  const lines: Array<Record<string, unknown>> = []
  const stream = { write: (line: string) => { lines.push(JSON.parse(line)) } }
  const app = Fastify({ logger: { level: 'warn', stream }, genReqId: ({ url }) => `id of ${url}` })
  t.teardown(async () => await app.close())
  await app.register(obra, { config: { ...loadConfig({ LOG_LEVEL: 'warn' }), JWT_SECRET: secret }, database })
  app.get('/long', { schema: { hide: true } }, async () => { throw new Crowded('a unit of work takes too long', { isGivenUp: true, key: 'tooMuchWork' }) })
  app.get('/crowded', { schema: { hide: true } }, async () => { throw new Crowded('too many requests') })
  const long = await app.inject('/long')
  t.strictSame([long.statusCode, long.json()], [503, { detail: 'The server is busy, and could not finish the request in time. Nothing was written. Try again later.', code: 'unavailable' }])
  t.match(lines, [{ level: 40, reqId: 'id of /long', msg: 'a request took too long and was given up', err: { message: 'a unit of work takes too long' } }])
  t.equal((await app.inject('/crowded')).statusCode, 503)
  t.match(lines.slice(1), [{ refused: 1, msg: 'overloaded, requests were refused', reqId: undefined }])
})
