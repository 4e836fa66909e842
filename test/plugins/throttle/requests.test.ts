import t from 'tap'
import { RequestCounts } from '../../../src/limits/requests.ts'
import { build, logIn } from '../../helper.ts'

t.test('a user has so many requests in a minute, whatever they ask for and by whichever session', async (t) => {
  const { app, as } = await build(t, { API_REQUESTS_PER_MINUTE: 3 })
  const minute = 60_000
  const now = Date.now
  const start = Math.ceil(now() / minute) * minute
  let at = start
  Date.now = () => at
  t.teardown(() => { Date.now = now })

  const [one, again, other] = [await as('director@demo.example'), await as('director@demo.example'), await as('auxiliar@demo.example')]
  const told = ({ headers }: { headers: Record<string, unknown> }) => ['limit', 'remaining', 'reset'].map(name => headers[`ratelimit-${name}`])

  const first = await one.get('me/')
  t.strictSame([first.statusCode, ...told(first)], [200, '3', '2', '60'])
  at += 12_500
  const missing = await again.get('contracts/999999999/')
  t.strictSame([missing.statusCode, ...told(missing)], [404, '3', '1', '48'])
  const wrong = await one.send('PUT', 'contracts/')
  t.strictSame([wrong.statusCode, ...told(wrong)], [405, '3', '0', '48'])

  const refused = await again.get('me/')
  t.strictSame([refused.statusCode, ...told(refused)], [429, '3', '0', '48'])
  t.equal(refused.headers['retry-after'], '48')
  t.strictSame(refused.json(), { detail: 'Request was throttled. Expected available in 48 seconds.', code: 'throttled' })
  t.equal((await other.get('me/')).statusCode, 200, 'another user is not concerned')
  t.equal((await app.inject('/health/live/')).statusCode, 200)
  const stranger = await app.inject('/api/v1/me/')
  t.strictSame([stranger.statusCode, ...told(stranger)], [401, undefined, undefined, undefined], 'nobody counts for strangers')
  t.equal((await logIn(app, 'director@demo.example')).access.length > 0, true, 'log-ins have limits of their own')

  at = start + minute
  const next = await one.get('me/')
  t.strictSame([next.statusCode, ...told(next)], [200, '3', '2', '60'])
})

t.test('RATE_LIMIT=off counts no requests', async (t) => {
  const { as } = await build(t, { API_REQUESTS_PER_MINUTE: 1, RATE_LIMIT: 'off' })
  const { get } = await as('director@demo.example')
  for (let time = 1; time <= 3; time++) {
    const { statusCode, headers } = await get('me/')
    t.strictSame([statusCode, headers['ratelimit-limit']], [200, undefined])
  }
})

t.test('processes that tell each other count together; what could not be told is told later', async (t) => {
  const minute = 60_000
  const totals = new Map<number, number>()
  let away = false
  const share = async (_window: unknown, untold: ReadonlyMap<number, number>) => {
    if (away) throw new Error('away')
    return new Map([...untold].map(([user, count]) => {
      totals.set(user, (totals.get(user) ?? 0) + count)
      return [user, totals.get(user) as number]
    }))
  }
  const [here, there] = [new RequestCounts(5), new RequestCounts(5)]
  for (const counts of [here, here, there]) counts.count(7, minute)
  await here.tell(share)
  await there.tell(share)
  t.same(there.count(7, minute), { allowed: true, remaining: 1, reset: 60 })

  away = true
  await t.rejects(there.tell(share))
  t.same(there.count(7, minute), { allowed: true, remaining: 0, reset: 60 }, 'each goes on counting')
  away = false
  await there.tell(share)
  t.same([...totals], [[7, 5]])
  t.equal(here.count(7, minute).allowed, true, 'it has not been told yet')
  await here.tell(share)
  t.equal(here.count(7, minute).allowed, false)
  t.same(here.count(7, 2 * minute), { allowed: true, remaining: 4, reset: 60 }, 'the next minute begins at nothing')
})

t.test('a clock that is put back begins another minute, and does not make it longer', (t) => {
  const counts = new RequestCounts(2)
  const noon = Date.UTC(2026, 0, 1, 12)
  for (const remaining of [1, 0]) t.match(counts.count(1, noon), { allowed: true, remaining })
  t.strictSame(counts.count(1, noon), { allowed: false, remaining: 0, reset: 60 })
  t.strictSame(counts.count(1, noon - 3_600_000), { allowed: true, remaining: 1, reset: 60 })
  t.end()
})
