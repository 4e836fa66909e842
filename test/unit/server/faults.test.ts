import t, { type Test } from 'tap'
import { demoPlace, startServer, type Running } from '../../support/process.ts'

async function startFaulty (t: Test): Promise<Running & { ask: (fault: string, request?: RequestInit) => Promise<Response> }> {
  const place = await demoPlace(t)
  const env = { NODE_ENV: 'production', DATABASE_URL: place.env['DATABASE_URL'] ?? 'embedded', JWT_SECRET: 'a key of the tests for production, long enough' }
  const running = await startServer(t, place, env, ['test/unit/server/faulty.ts'])
  return { ...running, ask: async (fault, request) => await fetch(`${running.origin}/faults/${fault}`, request) }
}

t.test('an error of a request that nothing catches ends this request alone', async (t) => {
  const { origin, ask, end, output } = await startFaulty(t)
  const json = { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } }
  for (const fault of ['stream', 'timer', 'rejection']) {
    for (const request of [{}, json]) {
      const answer = await ask(fault, request)
      t.equal(answer.status, 500)
      t.match(await answer.json(), { code: 'error' })
    }
    const begun = await ask(`${fault}?begun`)
    await t.rejects(begun.text(), { message: 'terminated' }, 'an answer that has begun is cut')
    t.equal((await fetch(`${origin}/health/live/`)).status, 200)
  }
  t.equal((await end()).code, 0)
  t.equal(output().match(/an error that nothing caught has ended this request/g)?.length, 9)
})

t.test('an error of no request ends the process in order, with 1', async (t) => {
  const { ask, ended } = await startFaulty(t)
  await t.rejects(ask('outside'), 'the drain time is over before this request')
  const { code, stdout } = await ended
  t.equal(code, 1)
  t.match(stdout, /"message":"of no request".*"msg":"shutting down after an error"/)
})
