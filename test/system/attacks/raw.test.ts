import t from 'tap'
import { build } from '../../support/helper.ts'
import { spoil } from './framing.ts'
import { faultOf, nonsense, pipelined, statusesOf, throwAt } from './raw.ts'

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
      t.equal(faultOf(told), undefined)
    })
  }
  t.notOk(reached.includes('/smuggled'), 'no request was taken for the rest of another')
  t.strictSame(statusesOf(await throwAt(app, pipelined)), [200, 400, 404], 'what is right is answered afterwards as before')

  await t.test('requests spoilt by chance, and cut into pieces by chance, are answered and let go of', async (t) => {
    const { sent, statuses, found } = await spoil(app, 100, 6)
    t.strictSame([sent, found], [100, []])
    t.ok((statuses.get(400) ?? 0) > 30 && [200, 401, 404].every(status => (statuses.get(status) ?? 0) > 2), JSON.stringify([...statuses]))
    t.match((await spoil(app, 10_000, 6, 50)).found, [/^seed 6: only \d+ of 10000 could be sent in 50 ms$/], 'fewer than were to be sent are not passed over')
  })
})
