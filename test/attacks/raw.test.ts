import t from 'tap'
import { build } from '../helper.ts'
import { nonsense, pipelined, statusesOf, throwAt } from './raw.ts'

t.test('over sockets', async (t) => {
  const { app } = await build(t, { RATE_LIMIT: 'off' })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const reached: string[] = []
  app.server.prependListener('request', ({ url = '' }) => reached.push(url))

  for (const [what, [bytes, ...expected]] of Object.entries(nonsense)) {
    await t.test(`${what}: ${expected.length === 0 ? 'no answer' : expected.map(statuses => statuses.join(' or ')).join(', then ')}`, async (t) => {
      const told = await throwAt(app, bytes)
      const statuses = statusesOf(told)
      t.equal(statuses.length, expected.length, told.slice(0, 1000))
      for (const [index, status] of statuses.entries()) t.ok(expected[index]?.includes(status), told.slice(0, 1000))
      // Two are Node's own, which have no body: what has no Host, and what expects the unknown.
      t.notMatch(told, /^content-type: (?!application\/json)/gmi, 'nothing that a browser would run')
    })
  }
  t.notOk(reached.includes('/smuggled'), 'no request was taken for the rest of another')
  t.strictSame(statusesOf(await throwAt(app, pipelined)), [200, 400, 404], 'what is right is answered afterwards as before')
})
