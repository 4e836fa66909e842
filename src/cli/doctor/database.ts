import { mayAct } from '../../database/connection/login.ts'
import type { Row } from '../../database/connection/sql.ts'
import { migrations } from '../../database/migrations/index.ts'
import { isReplaced, olderMessage } from '../../database/migrations/older.ts'
import { findingsOf, type Finding } from './finding.ts'
import type { Query } from './query.ts'
import { examineInvoices } from './invoices.ts'
import { examineMembers } from './members.ts'
import { examineRights } from './rights.ts'
import { examineSequences } from './sequences.ts'
import { examineStatistics } from './statistics.ts'
import { examineTriggers } from './triggers.ts'
import { examineWalls } from './walls.ts'
import { examineWebhooks } from './webhooks.ts'

/** Checks a reachable database: version, clock, migrations, role, row-level security, remaining ids, statistics, invoices. Changes nothing. */
export async function examineDatabase (query: Query): Promise<Finding[]> {
  const findings = [judgeVersion(await versionOf(query)), await examineWrites(query), judgeClock(await clockDifference(query))]
  const names = await migrationsRun(query)
  findings.push(judgeMigrations(names))
  if (names.length === 0) return findings
  return [...findings, ...await examineRole(query), ...await examineWalls(query), ...await examineTriggers(query), ...await examineRights(query), ...await examineMembers(query), ...await examineSequences(query), ...await examineStatistics(query), ...await examineInvoices(query), ...await examineWebhooks(query)]
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
  const [row] = await query("select pg_is_in_recovery() as standby, 'on' in (current_setting('transaction_read_only'), current_setting('default_transaction_read_only')) as closed")
  if (row?.['standby'] === true) return failed('this is a read-only standby: set DATABASE_URL to the primary')
  return row?.['closed'] === true ? failed('the database is read-only: run `alter database … reset default_transaction_read_only`, or the same for the user') : ok('the database accepts writes')
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
  return seconds < 30 ? warning(`${fact}: synchronize both with one time server`) : failed(`${fact}: tokens and sessions end at the wrong time; synchronize both with one time server`)
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
  const unknown = run.filter(name => !known.includes(name) && !isReplaced(name))
  const older = olderMessage('the database', run)
  if (older !== undefined) return failed(older)
  if (unknown.length > 0) return failed(`the database has migrations that this version does not know (${unknown.join(', ')}): run the version that contains them`)
  if (missing.length > 0) return failed(`${missing.length} pending (${missing.join(', ')}): run \`obra migrate\``)
  return ok(`all ${known.length} have run`)
}

async function examineRole (query: Query): Promise<Finding[]> {
  const { ok, failed } = findingsOf('role')
  const [role] = await query("select rolsuper, rolbypassrls, rolcreaterole, rolcreatedb, rolreplication, rolcanlogin from pg_roles where rolname = 'obra_app'")
  if (role === undefined) return [failed('the role obra_app is missing: restore it with `create role obra_app nologin` and the grants of the migrations')]
  const wrong: Record<string, string> = { rolsuper: 'nosuperuser', rolbypassrls: 'nobypassrls', rolcreaterole: 'nocreaterole', rolcreatedb: 'nocreatedb', rolreplication: 'noreplication', rolcanlogin: 'nologin' }
  const findings = Object.entries(wrong).filter(([right]) => role[right] === true)
    .map(([, remedy]) => failed(`obra_app has an attribute that it must not have: run \`alter role obra_app ${remedy}\``))

  const owned = await query("select c.relname::text as name from pg_class c where c.relowner = 'obra_app'::regrole")
  if (owned.length > 0) findings.push(failed(`obra_app owns ${owned.map(({ name }) => name).join(', ')}, and an owner can remove policies: change the owner with \`alter table … owner to …\``))
  const member = await query("select m.roleid::regrole::text as role from pg_auth_members m where m.member = 'obra_app'::regrole")
  findings.push(...member.map(({ role }) => failed(`obra_app is a member of ${role}: run \`revoke ${role} from obra_app\``)))
  return findings.length > 0 ? findings : [ok('obra_app owns no tables and bypasses no policies')]
}

/** Checks the user of `DATABASE_URL`. The embedded database has only a superuser. */
export async function examineUser (query: Query): Promise<Finding> {
  const { ok, warning, failed } = findingsOf('user')
  const [user] = await query(`
    select rolname::text as name, rolsuper as super, rolbypassrls as bypasses, exists (select from pg_class c where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace and pg_has_role(r.oid, c.relowner, 'usage')) as owns,
      pg_has_role(oid, (select oid from pg_roles where rolname = 'obra_app'), ${mayAct}) as may
    from pg_roles r where rolname = session_user`)
  const { name, super: isSuper, bypasses, owns, may } = user as Row
  if (may === false) return failed(`the service connects as ${name}, which cannot assume the role obra_app: run \`obra migrate --login ${name}\` as the owner`)
  const own = 'give servers a login of their own with `obra migrate --login`'
  if (isSuper === true) return warning(`the service connects as ${name}, a superuser, before it assumes the role obra_app: ${own}`)
  if (bypasses === true) return warning(`${name} bypasses row-level security without need: run \`alter role ${name} nobypassrls\``)
  return owns === true ? warning(`${name} owns tables and can remove their policies: ${own}`) : ok(`${name} owns no tables and can assume the role obra_app`)
}
