import t from 'tap'
import { build } from '../../support/helper.ts'
import { fuzzFraming } from './framing.ts'
import { faultOf, malformed, pipelined, statusesOf, sendRaw } from './raw.ts'

t.test('raw requests over sockets', async (t) => {
  const { app } = await build(t, { RATE_LIMIT: 'off' })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const reached: string[] = []
  app.server.prependListener('request', ({ url = '' }) => reached.push(url))

  for (const [what, [bytes, ...expected]] of Object.entries(malformed)) {
    await t.test(`${what}: ${expected.length === 0 ? 'no answer' : expected.map(statuses => statuses.join(' or ')).join(', then ')}`, async (t) => {
      const answer = await sendRaw(app, bytes)
      const statuses = statusesOf(answer)
      t.equal(statuses.length, expected.length, answer.slice(0, 1000))
      for (const [index, status] of statuses.entries()) t.ok(expected[index]?.includes(status), answer.slice(0, 1000))
      t.equal(faultOf(answer), undefined)
    })
  }
  t.notOk(reached.includes('/smuggled'), 'no smuggled request reached a handler')
  t.strictSame(statusesOf(await sendRaw(app, pipelined)), [200, 400, 404], 'valid requests are still answered afterwards')

  await t.test('requests with random framing errors, cut at random places, are answered and their connections closed', async (t) => {
    const { sent, statuses, found } = await fuzzFraming(app, 100, 6)
    t.strictSame([sent, found], [100, []])
    t.ok((statuses.get(400) ?? 0) > 30 && [200, 401, 404].every(status => (statuses.get(status) ?? 0) > 2), JSON.stringify([...statuses]))
    t.match((await fuzzFraming(app, 10_000, 6, 50)).found, [/^seed 6: only \d+ of 10000 could be sent in 50 ms$/], 'reaching the time limit is a failure')
  })
})
