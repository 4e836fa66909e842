import t from 'tap'
import { RequestCounts } from '../../../../plugins/rate-limit.ts'
import { build, logIn } from '../../../support/helper.ts'

t.test('a user has a limited number of requests per minute, over all routes and sessions', async (t) => {
  const { app, as } = await build(t, { API_REQUESTS_PER_MINUTE: 3 })
  const minute = 60_000
  const now = Date.now
  const start = Math.ceil(now() / minute) * minute
  let at = start
  Date.now = () => at
  t.teardown(() => { Date.now = now })

  const [one, again, other] = [await as('director@demo.example'), await as('director@demo.example'), await as('auxiliar@demo.example')]
  const limitHeaders = ({ headers }: { headers: Record<string, unknown> }) => ['limit', 'remaining', 'reset'].map(name => headers[`ratelimit-${name}`])

  const first = await one.get('me/')
  t.strictSame([first.statusCode, ...limitHeaders(first)], [200, '3', '2', '60'])
  at += 12_500
  const missing = await again.get('contracts/999999999/')
  t.strictSame([missing.statusCode, ...limitHeaders(missing)], [404, '3', '1', '48'])
  const wrong = await one.send('PUT', 'contracts/')
  t.strictSame([wrong.statusCode, ...limitHeaders(wrong)], [405, '3', '0', '48'])

  const refused = await again.get('me/')
  t.strictSame([refused.statusCode, ...limitHeaders(refused)], [429, '3', '0', '48'])
  t.equal(refused.headers['retry-after'], '48')
  t.strictSame(refused.json(), { detail: 'Request was throttled. Expected available in 48 seconds.', code: 'throttled' })
  t.equal((await other.get('me/')).statusCode, 200, 'another user is not limited')
  t.equal((await app.inject('/health/live/')).statusCode, 200)
  const stranger = await app.inject('/api/v1/me/')
  t.strictSame([stranger.statusCode, ...limitHeaders(stranger)], [401, undefined, undefined, undefined], 'unauthenticated answers have no limit headers')
  t.equal((await logIn(app, 'director@demo.example')).access.length > 0, true, 'log-ins have their own limits')

  at = start + minute
  const next = await one.get('me/')
  t.strictSame([next.statusCode, ...limitHeaders(next)], [200, '3', '2', '60'])
})

t.test('RATE_LIMIT=off counts no requests', async (t) => {
  const { as } = await build(t, { API_REQUESTS_PER_MINUTE: 1, RATE_LIMIT: 'off' })
  const { get } = await as('director@demo.example')
  for (let time = 1; time <= 3; time++) {
    const { statusCode, headers } = await get('me/')
    t.strictSame([statusCode, headers['ratelimit-limit']], [200, undefined])
  }
})

t.test('processes that exchange counts share a limit; counts that could not be sent are sent later', async (t) => {
  const minute = 60_000
  const totals = new Map<number, number>()
  let away = false
  const share = async (_window: unknown, unshared: ReadonlyMap<number, number>) => {
    if (away) throw new Error('away')
    return new Map([...unshared].map(([user, count]) => {
      totals.set(user, (totals.get(user) ?? 0) + count)
      return [user, totals.get(user) as number]
    }))
  }
  const [here, there] = [new RequestCounts(5), new RequestCounts(5)]
  for (const counts of [here, here, there]) counts.count(7, minute)
  await here.exchange(share)
  await there.exchange(share)
  t.same(there.count(7, minute), { allowed: true, remaining: 1, reset: 60 })

  away = true
  await t.rejects(there.exchange(share))
  t.same(there.count(7, minute), { allowed: true, remaining: 0, reset: 60 }, 'each continues to count')
  away = false
  await there.exchange(share)
  t.same([...totals], [[7, 5]])
  t.equal(here.count(7, minute).allowed, true, 'the count has not been exchanged yet')
  await here.exchange(share)
  t.equal(here.count(7, minute).allowed, false)
  t.same(here.count(7, 2 * minute), { allowed: true, remaining: 4, reset: 60 }, 'the next minute starts at zero')
})

t.test('a clock that is set back starts another minute of normal length', (t) => {
  const counts = new RequestCounts(2)
  const noon = Date.UTC(2026, 0, 1, 12)
  for (const remaining of [1, 0]) t.match(counts.count(1, noon), { allowed: true, remaining })
  t.strictSame(counts.count(1, noon), { allowed: false, remaining: 0, reset: 60 })
  t.strictSame(counts.count(1, noon - 3_600_000), { allowed: true, remaining: 1, reset: 60 })
  t.end()
})

t.test('only one exchange runs at a time, and no count is sent twice', async (t) => {
  const minute = 60_000
  const counts = new RequestCounts(100)
  const sent: Array<Array<[number, number]>> = []
  const answers: Array<(totals: Map<number, number>) => void> = []
  const slow = async (_window: unknown, unshared: ReadonlyMap<number, number>) => {
    sent.push([...unshared])
    return await new Promise<Map<number, number>>(resolve => answers.push(resolve))
  }
  for (let time = 1; time <= 3; time++) counts.count(7, minute)
  const first = counts.exchange(slow)
  counts.count(7, minute)
  counts.count(8, minute)
  await Promise.all([counts.exchange(slow), counts.exchange(slow)])
  t.strictSame(sent, [[[7, 3]]], 'no second exchange while the first is in flight')
  answers[0]?.(new Map([[7, 10]]))
  await first
  t.equal(counts.look(7, minute).remaining, 100 - 10 - 1, 'the total, and the requests counted meanwhile')

  const second = counts.exchange(slow)
  t.strictSame(sent[1], [[7, 1], [8, 1]])
  answers[1]?.(new Map([[8, 1]]))
  await second
  t.equal(counts.look(7, minute).remaining, 89, 'a lost answer keeps the count')
  await counts.exchange(slow)
  t.equal(sent.length, 2, 'no count is sent twice')
})

t.test('an exchange from the previous minute adds nothing to the next one', async (t) => {
  const minute = 60_000
  const counts = new RequestCounts(100)
  counts.count(7, minute)
  let answer = (_totals: Map<number, number>) => {}
  const exchange = counts.exchange(async () => await new Promise<Map<number, number>>(resolve => { answer = resolve }))
  t.equal(counts.count(7, 2 * minute).remaining, 99)
  answer(new Map([[7, 50]]))
  await exchange
  t.equal(counts.look(7, 2 * minute).remaining, 99)
})

t.test('50,000 callers are counted; one more evicts the least recently seen', (t) => {
  const counts = new RequestCounts(2)
  const minute = 60_000
  for (let name = 1; name <= 50_000; name++) counts.count(name, minute)
  t.equal(counts.count(1, minute).remaining, 0)
  counts.count(50_001, minute)
  t.strictSame([counts.look(1, minute).remaining, counts.look(2, minute).remaining, counts.look(3, minute).remaining], [0, 2, 1])
  t.end()
})

t.test('reading the limit does not count', (t) => {
  const counts = new RequestCounts(1)
  t.same([counts.look(1, 60_000), counts.look(1, 60_000)], [{ allowed: true, remaining: 1, reset: 60 }, { allowed: true, remaining: 1, reset: 60 }])
  counts.count(1, 60_000)
  t.same(counts.look(1, 60_000), { allowed: false, remaining: 0, reset: 60 })
  t.end()
})

t.test('a flood of addresses takes a bounded amount of memory', async (t) => {
  const counts = new RequestCounts<string>(10)
  for (let address = 0; address < 50_010; address++) counts.count(`2001:db8:${address}::/64`, 1000)
  let sent = 0
  await counts.exchange(async (_window, unshared) => {
    sent = unshared.size
    return new Map()
  })
  t.equal(sent, 50_000)
})
