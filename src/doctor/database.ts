import type { Row } from '../database/sql.ts'
import { migrations } from '../migrations/index.ts'
import { findingsOf, type Finding } from './finding.ts'
import { excess, outside } from './rights.ts'

/** Runs a statement as the owner of the tables. */
export type Query = (text: string) => Promise<Row[]>

/** Looks a database over that can be reached: its version, clock, migrations, the service's role, the walls around each tenant table. It changes nothing. */
export async function examineDatabase (query: Query): Promise<Finding[]> {
  const findings = [judgeVersion(await versionOf(query)), judgeClock(await clockDifference(query))]
  const names = await migrationsRun(query)
  findings.push(judgeMigrations(names))
  if (names.length === 0) return findings
  return [...findings, ...await examineRole(query), ...await examineWalls(query), ...await examineRights(query)]
}

async function versionOf (query: Query): Promise<number> {
  const [row] = await query("select current_setting('server_version_num')::int as version")
  return row?.['version']
}

/** @param version as PostgreSQL numbers it, `150020` */
export function judgeVersion (version: number): Finding {
  const { ok, failed } = findingsOf('version')
  const told = `PostgreSQL ${Math.floor(version / 10_000)}.${version % 10_000}`
  return version >= 150_000 ? ok(told) : failed(`${told}: 15 or newer is needed`)
}

/** Milliseconds that the database's clock is ahead of this process's. */
async function clockDifference (query: Query): Promise<number> {
  const before = Date.now()
  const [row] = await query('select extract(epoch from clock_timestamp())::float8 * 1000 as now')
  return row?.['now'] - (before + Date.now()) / 2
}

/** @param difference milliseconds */
export function judgeClock (difference: number): Finding {
  const { ok, warning, failed } = findingsOf('clock')
  const seconds = Math.abs(difference) / 1000
  const told = `the database's clock is ${seconds.toFixed(1)} s ${difference < 0 ? 'behind' : 'ahead of'} this machine's`
  if (seconds < 2) return ok('this machine and the database agree')
  return seconds < 30 ? warning(`${told}: let both follow one time server`) : failed(`${told}: tokens and sessions end at the wrong time; let both follow one time server`)
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
  const unknown = run.filter(name => !known.includes(name))
  if (unknown.length > 0) return failed(`the database has migrations that this version does not know (${unknown.join(', ')}): run the version that made them`)
  if (missing.length > 0) return failed(`${missing.length} have not run (${missing.join(', ')}): run \`obra migrate\``)
  return ok(`all ${known.length} have run`)
}

async function examineRole (query: Query): Promise<Finding[]> {
  const { ok, failed } = findingsOf('role')
  const [role] = await query("select rolsuper, rolbypassrls, rolcreaterole, rolcreatedb, rolreplication, rolcanlogin from pg_roles where rolname = 'obra_app'")
  if (role === undefined) return [failed('there is no role obra_app: restore it with `create role obra_app nologin` and the rights of the migrations')]
  const wrong: Record<string, string> = { rolsuper: 'nosuperuser', rolbypassrls: 'nobypassrls', rolcreaterole: 'nocreaterole', rolcreatedb: 'nocreatedb', rolreplication: 'noreplication', rolcanlogin: 'nologin' }
  const findings = Object.entries(wrong).filter(([right]) => role[right] === true)
    .map(([, remedy]) => failed(`obra_app may do more than it should: run \`alter role obra_app ${remedy}\``))

  const owned = await query("select c.relname::text as name from pg_class c where c.relowner = 'obra_app'::regrole")
  if (owned.length > 0) findings.push(failed(`obra_app owns ${owned.map(({ name }) => name).join(', ')}, and an owner may lift policies: give them to another role by \`alter table … owner to …\``))
  const member = await query("select m.roleid::regrole::text as role from pg_auth_members m where m.member = 'obra_app'::regrole")
  findings.push(...member.map(({ role }) => failed(`obra_app is a member of ${role}: run \`revoke ${role} from obra_app\``)))
  return findings.length > 0 ? findings : [ok('obra_app owns nothing and bypasses nothing')]
}

/** Looks at the user that DATABASE_URL names: the embedded database has its superuser alone. */
export async function examineUser (query: Query): Promise<Finding> {
  const { ok, warning } = findingsOf('user')
  const [user] = await query('select session_user::text as name, rolsuper as super from pg_roles where rolname = session_user')
  return user?.['super'] === true
    ? warning(`the service connects as ${user['name']}, a superuser, before it takes the role obra_app: a user that owns the database and may create roles is enough`)
    : ok(`${user?.['name']} is no superuser`)
}

async function examineWalls (query: Query): Promise<Finding[]> {
  const { ok, failed } = findingsOf('policies')
  const tables = await query(`
    select c.relname::text as name, c.relrowsecurity as enabled, c.relforcerowsecurity as forced,
      exists (select from pg_policy p where p.polrelid = c.oid and p.polname = 'company_admitted' and p.polcmd = '*') as admits,
      array(select p.polname::text from pg_policy p where p.polrelid = c.oid and p.polname not in ('company_admitted', 'search_candidates') order by 1) as others
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'company_id' and not a.attisdropped
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') order by 1`)
  const business = tables.filter(({ name }) => !outside.includes(name))
  const findings = business.flatMap(({ name, enabled, forced, admits, others }) => [
    enabled ? [] : failed(`${name} has no row level security: run \`alter table ${name} enable row level security\``),
    forced ? [] : failed(`the owner of ${name} passes its policies by: run \`alter table ${name} force row level security\``),
    admits ? [] : failed(`${name} has lost its policy company_admitted: restore it from the migration that made the table`),
    (others as string[]).map(other => failed(`${name} has a policy that no migration made: run \`drop policy ${other} on ${name}\``))
  ].flat())
  return findings.length > 0 ? findings : [ok(`enabled and forced on ${business.length} tables`)]
}

async function examineRights (query: Query): Promise<Finding[]> {
  const { ok, failed } = findingsOf('rights')
  const rows = await query(`
    select c.relname::text as name, a.grantee = 0 as everybody, array_agg(distinct lower(a.privilege_type)) as rights,
      exists (select from pg_attribute k where k.attrelid = c.oid and k.attname = 'company_id' and not k.attisdropped) as business
    from pg_class c cross join lateral aclexplode(c.relacl) a
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v', 'm') and (a.grantee = 0 or a.grantee = (select oid from pg_roles where rolname = 'obra_app'))
    group by c.oid, c.relname, a.grantee order by 1`)
  const findings = rows.flatMap(({ name, everybody, rights, business }) => {
    const more = excess(name, rights, everybody, business)
    const grantee = everybody === true ? 'public' : 'obra_app'
    return more.length === 0 ? [] : [failed(`${grantee} may ${more.join(', ')} ${name}: run \`revoke ${more.join(', ')} on ${name} from ${grantee}\``)]
  })
  return findings.length > 0 ? findings : [ok('obra_app has what it needs of the tables, and no more')]
}
