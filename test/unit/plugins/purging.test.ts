import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { Purge } from '../../../src/jobs/purging/purge.ts'
import { buildOn, openTestDatabase, type TestDatabase } from '../../support/helper.ts'
import { logOf } from '../../support/log.ts'
import { withoutBatchTimeout } from '../../support/purging.ts'
import { openSession } from '../../support/session.ts'
import { server } from '../../support/template.ts'

const fresh = await openTestDatabase(t)
const { psql } = fresh
const shared = { ...fresh.database, sql: withoutBatchTimeout(fresh.database.sql), close: async () => {} }
const old = async (n: number) => await psql("insert into known_addresses (user_id, address, logged_in_on) select 1, 'a' || i, current_date - 200 from generate_series(1, $1::int) i on conflict do nothing", [n])
const left = async () => (await psql('select count(*)::int as n from known_addresses'))[0]?.['n']
const listening = async (database: TestDatabase['database'] = shared) => {
  const app = await buildOn(t, database, { LOG_LEVEL: 'info', LOG_REQUESTS: 'off', METRICS_PORT: 0 })
  const lines = logOf(app)
  await app.listen({ host: '127.0.0.1', port: 0 })
  return { app, lines }
}

t.test('a server purges soon after it listens, and logs and measures the removed rows', async (t) => {
  await old(120)
  const { app, lines } = await listening()
  const purgedLine = () => lines.find(({ msg }) => msg === 'purged expired rows')
  while (purgedLine() === undefined) await sleep(50)
  t.equal(await left(), 0)
  t.match(purgedLine(), { level: 30, removed: { known_addresses: 120, sessions: 0, refresh_tokens: 0, idempotency_keys: 0, mutations: 0, device_refs: 0, devices: 0, changes: 0 } })
  const metrics = await app.metrics?.metrics() ?? ''
  t.match(metrics, /obra_purged_rows_total\{table="known_addresses"\} 120\n/)
  t.ok(Number(/obra_purge_batch_duration_seconds_count (\d+)/.exec(metrics)?.[1]) >= 7)
  const last = Number(/^obra_purge_last_run_timestamp_seconds (\S+)/m.exec(metrics)?.[1])
  t.ok(Math.abs(last - Date.now() / 1000) < 60)
  await app.close()
})

t.test('a batch that hits a lock or statement timeout is retried with fewer rows', async (t) => {
  await old(10)
  const codes = ['55P03', '57014']
  const sizes: unknown[] = []
  const within: typeof shared.sql.within = async (...args) => {
    sizes.push(args[2][1]?.values[0])
    const code = codes.pop()
    if (code !== undefined) throw Object.assign(new Error('timeout'), { code })
    return await shared.sql.within(...args)
  }
  t.match(await new Purge({ ...shared.sql, within }, 32).run({ pause: 0, waitForLock: false }), { known_addresses: 10 })
  t.strictSame(sizes.slice(0, 5), [32, 8, 2, 4, 8])
  t.equal(await left(), 0)
})

t.test('a table whose batches time out repeatedly is skipped, and the others are purged', async (t) => {
  await old(10)
  await psql("insert into idempotency_keys (user_id, company_id, route, key, reach, digest, status, headers, body, created_at) select 3, 1, '/', 'old ' || n, '3:1', '\\x00', 201, '{}', '', clock_timestamp() - interval '2 days' from generate_series(1, 5) n")
  let timeouts = 0
  const within: typeof shared.sql.within = async (...args) => {
    if (args[2][1]?.text.includes('delete from known_addresses') === true) {
      timeouts++
      throw Object.assign(new Error('timeout'), { code: '55P03' })
    }
    return await shared.sql.within(...args)
  }
  await t.rejects(new Purge({ ...shared.sql, within }).run({ pause: 0, waitForLock: false }), { message: 'batches of known_addresses time out', cause: { code: '55P03' } })
  t.equal(timeouts, 8)
  t.strictSame(await psql("select key from idempotency_keys where key like 'old %'"), [])
  t.match(await new Purge(shared.sql).run({ pause: 0, waitForLock: false }), { known_addresses: 10 })
})

t.test('a server that does not listen does not purge', async (t) => {
  await old(1)
  const app = await buildOn(t, shared)
  await sleep(3000)
  t.equal(await left(), 1)
  await app.close()
})

t.test('a failed purge is a warning, and the server continues', async (t) => {
  const within: typeof shared.sql.within = async (...args) => {
    if (args[2][1]?.text.includes('delete from') === true) throw Object.assign(new Error('broken'), { code: 'XX000' })
    return await shared.sql.within(...args)
  }
  const { app, lines } = await listening({ ...shared, sql: { ...shared.sql, within } })
  while (!lines.some(({ msg }) => msg === 'purge failed, next attempt in 5 minutes')) await sleep(50)
  t.match(lines.filter(({ level }) => level >= 40), [{ level: 40, msg: 'purge failed, next attempt in 5 minutes' }])
  t.equal((await app.inject('/health/live/')).statusCode, 200)
  await app.close()
})

t.test('shutdown waits for the current batch and starts no other', async (t) => {
  await old(2000)
  let release = () => {}
  const begun: number[] = []
  const within: typeof shared.sql.within = async (...args) => {
    begun.push(1)
    await new Promise<void>(resolve => { release = resolve })
    return await shared.sql.within(...args)
  }
  const { app } = await listening({ ...shared, sql: { ...shared.sql, within } })
  while (begun.length === 0) await sleep(20)
  let closed = false
  const closing = app.close().then(() => { closed = true })
  await sleep(300)
  t.equal(closed, false)
  release()
  await closing
  t.equal(begun.length, 1)
  t.ok(await left() >= 1000)
  await psql('delete from known_addresses')
})

if (server !== undefined) {
  t.test('one process purges at a time: a server skips its run, a command waits', async (t) => {
    const other = await openSession(t, fresh.env)
    await old(30)
    await other.query('begin')
    await other.query('select pg_advisory_xact_lock($1)', [0x70757267])
    await t.rejects(new Purge(shared.sql).run({ pause: 0, waitForLock: false }), { message: 'another process is purging' })
    const waiting = new Purge(shared.sql).run({ pause: 0, waitForLock: true })
    await sleep(200)
    t.equal(await left(), 30)
    await other.query('commit')
    t.match(await waiting, { known_addresses: 30 })
  })

  t.test('a run that has purged a batch waits for another process and completes', async (t) => {
    const other = await openSession(t, fresh.env)
    await old(30)
    const purging = new Purge(shared.sql, 10).run({ pause: 20, waitForLock: false })
    while (await left() === 30) await sleep(1)
    await other.query('begin')
    await other.query('select pg_advisory_xact_lock($1)', [0x70757267])
    await sleep(200)
    await other.query('commit')
    t.match(await purging, { known_addresses: 30 })
  })

  t.test('a session whose refresh token is locked delays no other table', async (t) => {
    const other = await openSession(t, fresh.env)
    await old(5)
    const [session] = await psql("insert into sessions (id, user_id, expires_at) values (gen_random_uuid(), 1, now() - interval '30 days') returning id")
    await psql("insert into refresh_tokens (session_id, hash) values ($1, '\\x00')", [session?.['id']])
    await psql("insert into idempotency_keys (user_id, company_id, route, key, reach, digest, status, headers, body, created_at) values (3, 1, '/', 'after', '3:1', '\\x00', 201, '{}', '', clock_timestamp() - interval '2 days')")
    await other.query('begin')
    await other.query('select from refresh_tokens where session_id = $1 for update', [session?.['id']])
    await t.rejects(new Purge(shared.sql).run({ pause: 0, waitForLock: false }), { message: 'batches of sessions time out' })
    t.strictSame([await left(), await psql("select from idempotency_keys where key = 'after'")], [0, []])
    await other.query('commit')
    t.match(await new Purge(shared.sql).run({ pause: 0, waitForLock: false }), { sessions: 1 })
  })

  t.test('a batch over its time limit is cancelled, and smaller ones follow', async (t) => {
    await old(40)
    await psql('create function slow_delete() returns trigger language plpgsql as $$ begin perform pg_sleep(0.004); return old; end $$')
    await psql('create trigger slow_delete before delete on known_addresses for each row execute function slow_delete()')
    t.match(await new Purge(fresh.database.sql).run({ pause: 0, waitForLock: false }), { known_addresses: 40 })
    await psql('drop function slow_delete cascade')
    t.equal(await left(), 0)
  })

  t.test('no batch waits for a locked row', async (t) => {
    const other = await openSession(t, fresh.env)
    await old(3)
    await other.query('begin')
    await other.query("select from known_addresses where address = 'a2' for update")
    t.match(await new Purge(shared.sql).run({ pause: 0, waitForLock: false }), { known_addresses: 2 })
    await other.query('commit')
    t.match(await new Purge(shared.sql).run({ pause: 0, waitForLock: false }), { known_addresses: 1 })
  })
}
