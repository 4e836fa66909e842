import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import t from 'tap'
import { tokenHash } from '../../../src/auth/claims.ts'
import { endSession, isLiveRefreshToken, isLiveSession, openSession, rotate } from '../../../src/auth/sessions.ts'
import { recordUses } from '../../../src/auth/uses.ts'
import { retrying } from '../../../src/database/connection/postgres-sql.ts'
import { openTestDatabase } from '../../support/helper.ts'

const { database: { sql }, psql } = await openTestDatabase(t)
const [{ id: user, password }] = await psql("select id, password from users where email = 'director@demo.example'") as [{ id: number, password: string }]
/** The nth refresh token of a session, and the pair that has it. */
const nth = (sid: string, n: number) => tokenHash(`${sid} ${n}`)
const pair = (sid: string, n: number) => ({ access: tokenHash(jti(sid, n)), refresh: nth(sid, n) })
const jti = (sid: string, n: number) => `access ${sid} ${n}`
/** Moves the session's spent tokens back in time. */
const pass = async (sid: string, seconds: number) => await psql('update refresh_tokens set spent_at = spent_at - make_interval(secs => $2) where session_id = $1 and spent_at is not null', [sid, seconds])
const record = recordUses(sql)

async function open (): Promise<string> {
  const sid = randomUUID()
  if (!await openSession(sql, sid, { user, password }, nth(sid, 0))) throw new Error('no session')
  return sid
}

/** A simple model of `rotate`, in seconds. */
class Model {
  readonly spentAt: number[] = []
  readonly used = new Set<number>()
  now = 0
  over = false

  get newest (): number {
    return this.spentAt.length
  }

  present (n: number): string {
    if (this.over) return 'ended'
    if (n === this.newest) {
      this.spentAt.push(this.now)
      return 'rotated'
    }
    if (this.now - this.spentAt[n] <= 30) return 'repeated'
    if (n + 1 === this.newest && !this.used.has(this.newest)) {
      this.spentAt[n] = this.now
      return 'repeated'
    }
    this.over = true
    return 'stolen'
  }
}

t.test('any tokens of a session, in any order and at any time, are rotated by the rule', async (t) => {
  // The sums of the waits are far from 30 s, because the database's clock continues meanwhile.
  const step = fc.record({ back: fc.nat(2), wait: fc.constantFrom(0, 12, 50, 86_400), use: fc.boolean() })
  const seen = new Set<string>()
  await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 9 }), async (steps) => {
    const sid = await open()
    const model = new Model()
    for (const { back, wait, use } of steps) {
      model.now += wait
      await pass(sid, wait)
      if (use) {
        model.used.add(model.newest)
        await record({ sid, jti: jti(sid, model.newest) })
      }
      const n = Math.max(0, model.newest - back)
      const expected = model.present(n)
      const actual = await rotate(sql, sid, nth(sid, n), pair(sid, n + 1), new Date())
      t.equal(actual.outcome, expected)
      seen.add(`${expected} ${n === model.newest - 1 ? 'newest' : 'older'}`)
      t.equal(await isLiveSession(sql, sid, user), !model.over)
      t.equal(await isLiveRefreshToken(sql, sid, user, nth(sid, model.newest)), !model.over, 'the newest token is live')
      if (model.newest > 0) t.equal(await isLiveRefreshToken(sql, sid, user, nth(sid, model.newest - 1)), false, 'a spent token is not live')
    }
  }), {
    numRuns: 20,
    examples: [
      [[{ back: 0, wait: 0, use: false }, { back: 1, wait: 86_400, use: false }, { back: 1, wait: 12, use: true }, { back: 1, wait: 50, use: false }]],
      [[{ back: 0, wait: 0, use: false }, { back: 0, wait: 0, use: false }, { back: 2, wait: 12, use: false }, { back: 2, wait: 50, use: false }]]
    ]
  })
  for (const outcome of ['rotated newest', 'repeated newest', 'repeated older', 'stolen newest', 'stolen older']) t.ok(seen.has(outcome), outcome)
})

t.test('a late repetition issues the same successor anew, as long as neither of its tokens is used', async (t) => {
  const sid = await open()
  const first = Date.now()
  t.strictSame(await rotate(sql, sid, nth(sid, 0), pair(sid, 1), new Date(first)), { outcome: 'rotated', at: new Date(first) })
  t.strictSame(await rotate(sql, sid, nth(sid, 0), pair(sid, 1), new Date(first + 9000)), { outcome: 'repeated', at: new Date(first) }, 'at once: the same time')
  for (let day = 1; day <= 3; day++) {
    await pass(sid, 86_400)
    t.strictSame(await rotate(sql, sid, nth(sid, 0), pair(sid, 1), new Date(first + day)), { outcome: 'repeated', at: new Date(first + day) }, 'late: a new time, so that its tokens are not expired')
    t.strictSame(await rotate(sql, sid, nth(sid, 0), pair(sid, 1), new Date(first + 9000)), { outcome: 'repeated', at: new Date(first + day) })
  }
  t.equal((await psql('select from refresh_tokens where session_id = $1', [sid])).length, 2)
  await psql('delete from refresh_tokens where session_id = $1 and spent_at is not null', [sid])
  t.match(await rotate(sql, sid, nth(sid, 0), pair(sid, 1), new Date()), { outcome: 'repeated' }, 'even if the purge of an earlier release has removed the spent token')
  await pass(sid, 31)
  t.match(await rotate(sql, sid, nth(sid, 1), pair(sid, 2), new Date()), { outcome: 'rotated' })
  t.match(await rotate(sql, sid, nth(sid, 0), pair(sid, 1), new Date()), { outcome: 'stolen' }, 'the successor was used for a refresh')
})

t.test('a token of an earlier release, without a record of its use, is repeated for 30 s only', async (t) => {
  const sid = await open()
  await rotate(sql, sid, nth(sid, 0), pair(sid, 1), new Date())
  await psql('update refresh_tokens set unused_access = null where session_id = $1', [sid])
  await pass(sid, 20)
  t.match(await rotate(sql, sid, nth(sid, 0), pair(sid, 1), new Date()), { outcome: 'repeated' })
  await pass(sid, 20)
  t.match(await rotate(sql, sid, nth(sid, 0), pair(sid, 1), new Date()), { outcome: 'stolen' })
})

t.test('the use of another token or session is no use of the successor', async (t) => {
  const [sid, other] = [await open(), await open()]
  for (const one of [sid, other]) await rotate(sql, one, nth(one, 0), pair(one, 1), new Date())
  await record({ sid, jti: jti(sid, 0) })
  await record({ sid, jti: jti(other, 1) })
  await pass(sid, 31)
  t.match(await rotate(sql, sid, nth(sid, 0), pair(sid, 1), new Date()), { outcome: 'repeated' })
})

t.test('when a late repetition and the first use race, the session ends only if the use came first', async (t) => {
  for (let round = 0; round < 30; round++) {
    const sid = await open()
    await rotate(sql, sid, nth(sid, 0), pair(sid, 1), new Date())
    await pass(sid, 86_400)
    const fresh = recordUses(sql)
    const repeat = async () => await retrying(async () => await rotate(sql, sid, nth(sid, 0), pair(sid, 1), new Date()), performance.now() + 60_000)
    const results = await Promise.all([repeat(), fresh({ sid, jti: jti(sid, 1) }), repeat(), repeat()])
    const got = results.flatMap(result => result === undefined ? [] : [result.outcome])
    t.ok(got.every(outcome => ['repeated', 'stolen', 'ended'].includes(outcome)))
    t.equal(got.includes('repeated'), !got.includes('stolen'), 'all callers get the successor, or none')
    t.equal(await isLiveSession(sql, sid, user), got.includes('repeated'))
  }
})

t.test('uses and rotations of many sessions at once end without a deadlock, each use recorded', async (t) => {
  const sids = await Promise.all(Array.from({ length: 30 }, open))
  await Promise.all(sids.map(async sid => await rotate(sql, sid, nth(sid, 0), pair(sid, 1), new Date())))
  const processes = [recordUses(sql), recordUses(sql), recordUses(sql)]
  await Promise.all([
    ...processes.flatMap((process, index) => (index === 1 ? sids.toReversed() : sids).map(async sid => await process({ sid, jti: jti(sid, 1) }))),
    ...sids.slice(0, 10).map(async sid => await retrying(async () => await rotate(sql, sid, nth(sid, 1), pair(sid, 2), new Date()), performance.now() + 60_000))
  ])
  t.same(await psql('select count(*)::int as unused from refresh_tokens where session_id = any ($1) and hash = any ($2) and unused_access is not null', [sids, sids.map(sid => nth(sid, 1))]), [{ unused: 0 }])
})

t.test('a session ends when it expires or is revoked, and stays ended', async (t) => {
  const [old, ended] = [await open(), await open()]
  await psql("update sessions set expires_at = clock_timestamp() - interval '1 second' where id = $1", [old])
  await endSession(sql, ended)
  const [{ revoked_at: first }] = await psql('select revoked_at from sessions where id = $1', [ended]) as [{ revoked_at: string }]
  for (const sid of [old, ended]) {
    t.equal(await isLiveSession(sql, sid, user), false)
    t.equal(await isLiveRefreshToken(sql, sid, user, nth(sid, 0)), false)
    t.strictSame(await rotate(sql, sid, nth(sid, 0), pair(sid, 1), new Date()), { outcome: 'ended' })
  }
  await endSession(sql, ended)
  t.strictSame(await psql('select revoked_at from sessions where id = $1', [ended]), [{ revoked_at: first }], 'the time of the first end is kept')
})

t.test('a refresh token belongs to its user', async (t) => {
  const sid = await open()
  t.equal(await isLiveRefreshToken(sql, sid, user + 1, nth(sid, 0)), false)
})

t.test('no session is opened for an inactive or unknown user, or with a password changed since', async (t) => {
  const [{ id }] = await psql("update users set activo = false where email = 'auxiliar@demo.example' returning id") as [{ id: number }]
  for (const proven of [{ user: id, password }, { user: 2_000_000_000, password }, { user, password: 'another' }]) {
    const sid = randomUUID()
    t.equal(await openSession(sql, sid, proven, nth(sid, 0)), false)
    t.strictSame(await psql('select from sessions where id = $1', [sid]), [])
  }
})
