import t from 'tap'
import { examineSettings, judgeConnections, judgeSettings, type Settings } from '../../../../src/cli/doctor/settings.ts'
import { judgeBackup } from '../../../../src/cli/doctor/backup.ts'
import { openTestDatabase } from '../../../support/helper.ts'
import { server } from '../../../support/template.ts'

const good: Settings = { fsync: 'on', full_page_writes: 'on', synchronous_commit: 'on', has_standby: false, autovacuum: 'on', track_counts: 'on' }

t.test('settings of PostgreSQL that endanger data are found, each with its remedy', async (t) => {
  t.match(judgeSettings(good), [{ check: 'settings', outcome: 'ok' }])
  const wrong: Array<[Partial<Settings>, outcome: string, message: RegExp]> = [
    [{ fsync: 'off' }, 'failed', /^fsync is off: .* run `alter system set fsync = on` and `select pg_reload_conf\(\)` as a superuser$/],
    [{ full_page_writes: 'off' }, 'failed', /^full_page_writes is off: .*`alter system set full_page_writes = on`/],
    [{ synchronous_commit: 'off' }, 'failed', /^synchronous_commit is off: a crash can lose acknowledged writes; .*`alter role … reset synchronous_commit`/],
    [{ synchronous_commit: 'local', has_standby: true }, 'warning', /^synchronous_commit is local: a failover can lose/],
    [{ autovacuum: 'off' }, 'warning', /^autovacuum is off: .*`alter system set autovacuum = on`/],
    [{ track_counts: 'off' }, 'warning', /^track_counts is off: .*`alter system set track_counts = on`/]
  ]
  for (const [setting, outcome, message] of wrong) t.match(judgeSettings({ ...good, ...setting }), [{ outcome, message }], JSON.stringify(setting))
  t.match(judgeSettings({ ...good, synchronous_commit: 'local' }), [{ outcome: 'ok' }], 'without a standby, local is as safe as on')
  t.equal(judgeSettings({ ...good, fsync: 'off', autovacuum: 'off' }).length, 2)
})

t.test('the connections of the servers are compared with what the login can have', async (t) => {
  const judged = (usable: number) => judgeConnections(usable, { WORKERS: 4, DATABASE_POOL: 10 })
  t.match(judged(39), { check: 'connections', outcome: 'failed', message: 'WORKERS × DATABASE_POOL is 4 × 10 = 40 connections, and the login can have 39: requests would fail; raise `max_connections` of PostgreSQL and restart it, or set a smaller DATABASE_POOL' })
  t.match(judged(49), { outcome: 'warning', message: /too few are left for a restart of one process/ })
  t.match(judged(50), { outcome: 'ok', message: /40 connections, and the login can have 50$/ })
})

t.test('the settings of a session and the limits of its database are read', { skip: server === undefined && 'it needs PostgreSQL: DATABASE_URL is not set' }, async (t) => {
  const { psql } = await openTestDatabase(t)
  const config = { WORKERS: 1, DATABASE_POOL: 10 }
  const problems = async () => (await examineSettings(psql, config)).filter(({ outcome }) => outcome !== 'ok')
  await psql('set synchronous_commit = off')
  t.match((await problems()).filter(({ check }) => check === 'settings'), [{ outcome: 'failed', message: /^synchronous_commit is off/ }])
  const [{ name }] = await psql('select current_database() as name') as [{ name: string }]
  await psql(`alter database ${name} connection limit 9`)
  t.match((await problems()).filter(({ check }) => check === 'connections'), [{ outcome: 'failed', message: /10 connections, and the login can have 9:/ }])
})

t.test('in production, a missing or old backup is found', async (t) => {
  const hour = 3600
  const cases: Array<[age: number | undefined, outcome: string, message: RegExp]> = [
    [undefined, 'warning', /^no backup of this database: run `obra backup` every night, or store the time of other backups, see docs\/guides\/back-up-and-restore\.md$/],
    [25 * hour, 'ok', /^the last backup is 25 hours old$/],
    [27 * hour, 'warning', /^the last backup is 27 hours old: run `obra backup` every night/],
    [6 * 24 * hour, 'warning', /^the last backup is 6 days old/],
    [8 * 24 * hour, 'failed', /^the last backup is 8 days old: a lost disk would lose all changes since/]
  ]
  for (const [age, outcome, message] of cases) {
    t.match(judgeBackup(age, true), { check: 'backup', outcome, message })
    t.equal(judgeBackup(age, false).outcome, 'ok', 'outside of production')
  }
})
