import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { buildOn, openTestDatabase } from '../../helper.ts'

t.test('while the event loop lags, requests beyond those that are worked on are refused at once, and probes are answered', async (t) => {
  const { database } = await openTestDatabase(t)
  const app = await buildOn(t, database)
  const lines: string[] = []
  app.log.warn = (...parts: unknown[]) => { lines.push(JSON.stringify(parts)) }

  while (!app.isUnderPressure()) {
    for (const end = performance.now() + 120; performance.now() < end;);
    await sleep(1)
  }
  const ask = async (url: string, headers = {}) => await app.inject({ url, headers })
  const answers = await Promise.all([
    ...Array.from({ length: 4300 }, async () => await ask('/api/v1/me/')),
    ask('/api/v1/me/', { 'accept-language': 'es' }), ask('/health/live/'), ask('/health/ready/')
  ])
  const [spanish, live, ready] = answers.splice(-3)
  t.strictSame([live?.statusCode, ready?.statusCode], [200, 200])

  const refused = answers.filter(({ statusCode }) => statusCode === 503)
  t.ok(refused.length > 0 && refused.length <= 4300 - 4096, `${refused.length} are refused`)
  t.equal(answers.filter(({ statusCode }) => statusCode === 401).length, 4300 - refused.length, 'the others are answered as ever')
  for (const { headers, body } of refused.slice(0, 1)) {
    t.match(headers, { 'retry-after': '1', 'content-type': 'application/json; charset=utf-8', 'x-request-id': /\w/, 'x-content-type-options': 'nosniff' })
    t.strictSame(JSON.parse(body), { detail: 'The service is not available at the moment; try again later.', code: 'unavailable' })
  }
  t.strictSame(spanish?.json(), { detail: 'El servicio no está disponible en este momento; inténtelo de nuevo más tarde.', code: 'unavailable' })
  t.strictSame(lines, ['[{"refused":1},"there is too much to do: requests were refused"]'], 'the log has one line, not one for each')

  while (app.isUnderPressure()) await sleep(10)
  const after = await Promise.all(Array.from({ length: 100 }, async () => await ask('/api/v1/me/')))
  t.ok(after.every(({ statusCode }) => statusCode === 401), 'and then all are answered again')
})
