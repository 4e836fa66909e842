import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import t from 'tap'
import { tokenHash } from '../../../src/auth/claims.ts'
import { endSession, isLiveRefreshToken, isLiveSession, openSession, rotate } from '../../../src/auth/sessions.ts'
import { retrying } from '../../../src/database/sql.ts'
import { openTestDatabase } from '../../support/helper.ts'

const { database: { sql }, psql } = await openTestDatabase(t)
const [{ id: user, password }] = await psql("select id, password from users where email = 'director@demo.example'") as [{ id: number, password: string }]
const nth = (sid: string, n: number) => tokenHash(`${sid} ${n}`)

async function open (): Promise<string> {
  const sid = randomUUID()
  if (!await openSession(sql, sid, { user, password }, nth(sid, 0))) throw new Error('no session')
  return sid
}

/** A simple model of `rotate`. */
class Model {
  readonly spentAt: number[] = []
  over = false

  present (n: number, now: number): string {
    if (this.over) return 'ended'
    if (n === this.spentAt.length) {
      this.spentAt.push(now)
      return 'rotated'
    }
    if (now - (this.spentAt[n] as number) <= 30_000) return 'repeated'
    this.over = true
    return 'stolen'
  }
}

t.test('any tokens of a session, in any order and at any time, are rotated by the rule', async (t) => {
  const step = fc.record({ back: fc.integer({ min: 0, max: 3 }), wait: fc.constantFrom(0, 1, 900, 14_000, 29_999, 30_000, 30_001) })
  await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 9 }), async (steps) => {
    const sid = await open()
    const model = new Model()
    let now = Date.parse('2026-03-01T10:00:00.123Z')
    for (const { back, wait } of steps) {
      now += wait
      const n = Math.max(0, model.spentAt.length - back)
      const expected = model.present(n, now)
      const actual = await rotate(sql, sid, nth(sid, n), nth(sid, n + 1), new Date(now))
      t.equal(actual.outcome, expected)
      if ('at' in actual) t.equal(actual.at.getTime(), model.spentAt[n], 'the successor has the time of the first rotation')
      t.equal(await isLiveSession(sql, sid, user), !model.over)
      t.equal(await isLiveRefreshToken(sql, sid, user, nth(sid, model.spentAt.length)), !model.over, 'the newest token is live')
      if (model.spentAt.length > 0) t.equal(await isLiveRefreshToken(sql, sid, user, nth(sid, model.spentAt.length - 1)), false, 'a spent token is not live')
    }
  }), { numRuns: 20 })
})

t.test('one of several simultaneous callers rotates, and all get the same time', async (t) => {
  const sid = await open()
  const now = Date.now()
  const outcomes = await Promise.all(Array.from({ length: 40 }, async (_, n) =>
    await retrying(async () => await rotate(sql, sid, nth(sid, 0), nth(sid, 1), new Date(now + n)), performance.now() + 60_000)))
  const [rotated, ...more] = outcomes.filter(({ outcome }) => outcome === 'rotated') as Array<{ at: Date }>
  t.equal(more.length, 0)
  for (const { outcome, at } of outcomes as Array<{ outcome: string, at: Date }>) {
    t.ok(outcome === 'rotated' || outcome === 'repeated')
    t.same(at, rotated?.at)
  }
  t.equal((await psql('select from refresh_tokens where session_id = $1 and spent_at is null', [sid])).length, 1)
})

t.test('tokens spent long ago are deleted', async (t) => {
  const sid = await open()
  const start = Date.now()
  for (let n = 0; n < 6; n++) await rotate(sql, sid, nth(sid, n), nth(sid, n + 1), new Date(start + n * 31_000))
  t.equal((await psql('select from refresh_tokens where session_id = $1', [sid])).length, 2, 'the live token and the last spent one')
})

t.test('a session ends when it expires or is revoked, and stays ended', async (t) => {
  const [old, ended] = [await open(), await open()]
  await psql("update sessions set expires_at = clock_timestamp() - interval '1 second' where id = $1", [old])
  await endSession(sql, ended)
  const [{ revoked_at: first }] = await psql('select revoked_at from sessions where id = $1', [ended]) as [{ revoked_at: string }]
  for (const sid of [old, ended]) {
    t.equal(await isLiveSession(sql, sid, user), false)
    t.equal(await isLiveRefreshToken(sql, sid, user, nth(sid, 0)), false)
    t.strictSame(await rotate(sql, sid, nth(sid, 0), nth(sid, 1), new Date()), { outcome: 'ended' })
  }
  await endSession(sql, ended)
  t.strictSame(await psql('select revoked_at from sessions where id = $1', [ended]), [{ revoked_at: first }], 'the time of the first end is kept')
})

t.test('an unknown session counts as ended', async (t) => {
  const sid = randomUUID()
  t.equal(await isLiveSession(sql, sid, user), false)
  t.strictSame(await rotate(sql, sid, nth(sid, 0), nth(sid, 1), new Date()), { outcome: 'ended' })
})

t.test('a session belongs to its user only', async (t) => {
  const sid = await open()
  for (const other of [user + 1, 2 ** 40]) {
    t.equal(await isLiveSession(sql, sid, other), false)
    t.equal(await isLiveRefreshToken(sql, sid, other, nth(sid, 0)), false)
  }
})

t.test('no session is opened for an inactive or unknown user, or with a password changed since', async (t) => {
  const [{ id }] = await psql("update users set activo = false where email = 'auxiliar@demo.example' returning id") as [{ id: number }]
  for (const proven of [{ user: id, password }, { user: 2_000_000_000, password }, { user, password: 'another' }]) {
    const sid = randomUUID()
    t.equal(await openSession(sql, sid, proven, nth(sid, 0)), false)
    t.strictSame(await psql('select from sessions where id = $1', [sid]), [])
  }
})
