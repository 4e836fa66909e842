import { migrations, unknownIn } from '../../database/migrations/index.ts'
import { olderMessage } from '../../database/migrations/older.ts'
import { findingsOf, type Finding } from './finding.ts'
import type { Query } from './query.ts'
import { examineInvoices } from './invoices.ts'
import { examineMembers } from './members.ts'
import { examineRights } from './rights.ts'
import { examineRole } from './role.ts'
import { examineRoutines } from './routines.ts'
import { examineSequences } from './sequences.ts'
import { examineStatistics } from './statistics.ts'
import { examineTriggers } from './triggers.ts'
import { examineWalls } from './walls.ts'
import { examineWebhooks } from './webhooks.ts'

/** Checks of a migrated database, in the order of their findings. */
const checks: Array<(query: Query) => Promise<Finding[]>> = [
  examineRole,
  examineWalls,
  examineTriggers,
  examineRoutines,
  examineRights,
  examineMembers,
  examineSequences,
  examineStatistics,
  examineInvoices,
  examineWebhooks
]

/**
 * Checks a reachable database: version, clock, migrations, role, row-level security, remaining ids, statistics, invoices. Changes nothing.
 */
export async function examineDatabase (query: Query): Promise<Finding[]> {
  const findings = [judgeVersion(await versionOf(query)), await examineWrites(query), judgeClock(await clockDifference(query))]
  const names = await migrationsRun(query)
  findings.push(judgeMigrations(names))
  if (names.length === 0) return findings
  for (const check of checks) findings.push(...await check(query))
  return findings
}

async function versionOf (query: Query): Promise<number> {
  const [row] = await query("select current_setting('server_version_num')::int as version")
  return row?.['version']
}

// 15.9, 16.5 and 17.1 ignore `alter role … set role`. Source: release notes of 15.10, 16.6 and 17.2.
const ignoringRole = [150_009, 160_005, 170_001]

/** @param version PostgreSQL's version number, such as 150020 */
export function judgeVersion (version: number): Finding {
  const { ok, failed } = findingsOf('version')
  const fact = `PostgreSQL ${Math.floor(version / 10_000)}.${version % 10_000}`
  if (version < 150_000) return failed(`${fact}: 15 or newer is needed`)
  return ignoringRole.includes(version) ? failed(`${fact} ignores the role of a login: install a newer minor version`) : ok(fact)
}

async function examineWrites (query: Query): Promise<Finding> {
  const { ok, failed } = findingsOf('writes')
  const [row] = await query(`
    select pg_is_in_recovery() as standby,
      'on' in (current_setting('transaction_read_only'), current_setting('default_transaction_read_only')) as closed`)
  if (row?.['standby'] === true) return failed('this is a read-only standby: set DATABASE_URL to the primary')
  if (row?.['closed'] !== true) return ok('the database accepts writes')
  return failed('the database is read-only: run `alter database … reset default_transaction_read_only`, or the same for the user')
}

/** Milliseconds by which the database's clock is ahead of this process. */
async function clockDifference (query: Query): Promise<number> {
  const before = Date.now()
  const [row] = await query('select extract(epoch from clock_timestamp())::float8 * 1000 as now')
  return row?.['now'] - (before + Date.now()) / 2
}

/** @param difference milliseconds */
export function judgeClock (difference: number): Finding {
  const { ok, warning, failed } = findingsOf('clock')
  const seconds = Math.abs(difference) / 1000
  const fact = `the database's clock is ${seconds.toFixed(1)} s ${difference < 0 ? 'behind' : 'ahead of'} this machine's`
  if (seconds < 2) return ok('the clocks of this machine and the database agree')
  const remedy = 'synchronize both with one time server'
  return seconds < 30 ? warning(`${fact}: ${remedy}`) : failed(`${fact}: tokens and sessions end at the wrong time; ${remedy}`)
}

async function migrationsRun (query: Query): Promise<string[]> {
  const [row] = await query("select to_regclass('public.mikro_orm_migrations') is not null as there")
  if (row?.['there'] !== true) return []
  return (await query('select name from mikro_orm_migrations order by id')).map(({ name }) => name)
}

/** @param run names of the migrations that have run */
export function judgeMigrations (run: string[]): Finding {
  const { ok, failed } = findingsOf('migrations')
  const known = migrations.map(({ name }) => name)
  const missing = known.filter(name => !run.includes(name))
  const unknown = unknownIn(run)
  const older = olderMessage('the database', run)
  if (older !== undefined) return failed(older)
  if (unknown.length > 0) {
    const names = unknown.join(', ')
    return failed(`the database has migrations that this version does not know (${names}): run the version that contains them`)
  }
  if (missing.length > 0) return failed(`${missing.length} pending (${missing.join(', ')}): run \`obra migrate\``)
  return ok(`all ${known.length} have run`)
}
