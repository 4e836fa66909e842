import { isOurs } from '../../database/schema/ours.ts'
import { entities } from '../../domain/entities/index.ts'
import { searchRole, serviceRole, type Query } from './query.ts'
import { findingsOf, type Finding } from './finding.ts'

/** Tables with a company but without policies (decision 1). */
export const outside: readonly string[] = ['company_revisions', 'memberships', 'users', 'webhook_cursors']

const all = ['select', 'insert', 'update', 'delete']

/** The same as an SQL array. */
const allRights = `array[${all.map(right => `'${right}'`).join(', ')}]`

/** Privileges of the service's role on tables other than resources. On resources it has `all`. */
const rights: Record<string, readonly string[]> = {
  customers: ['select', 'insert', 'update'],
  companies: ['select', 'insert', 'update'],
  users: ['select', 'insert', 'update'],
  memberships: all,
  sessions: all,
  refresh_tokens: all,
  known_addresses: all,
  authority_revisions: ['select'],
  company_revisions: ['select'],
  changes: ['select'],
  purged_revisions: ['select'],
  estimate_sums: ['select'],
  contract_sums: ['select'],
  subcontract_sums: ['select'],
  estimate_lines: ['select'],
  concepto_sums: ['select'],
  movement_sums: ['select'],
  caratulas: ['select'],
  idempotency_keys: ['select', 'insert', 'delete'],
  contract_levels: all,
  history: ['select'],
  devices: all,
  mutations: all,
  device_refs: all,
  stored_files: all,
  uploads: all,
  last_backup: ['select', 'insert', 'update'],
  webhook_cursors: ['select', 'insert', 'update'],
  webhook_deliveries: ['select', 'insert', 'delete'],
  mikro_orm_migrations: ['select']
}

/**
 * Privileges on a table beyond the needed ones.
 * @param everybody whether the grantee is `public`, which needs none
 * @param business whether the table has rows of companies
 */
function excess (table: string, has: readonly string[], everybody: boolean, business: boolean): string[] {
  const needed = everybody ? [] : rights[table] ?? (business ? all : [])
  return has.filter(right => !needed.includes(right))
}

/** Tables of resources, on which the service's role can select, insert, update and delete within the policies. */
export const resources: readonly string[] = entities.map(({ meta }) => meta.tableName).filter(table => !(table in rights))

/** Checks privileges on tables: `obra_app` has what it needs, and neither it nor `public` has more. */
export async function examineRights (query: Query): Promise<Finding[]> {
  const { ok, failed } = findingsOf('rights')
  const findings: Finding[] = []
  for (const check of [lacking, exceeding, creating, calling, searching, indexing]) findings.push(...(await check(query)).map(failed))
  return findings.length > 0 ? findings : [ok('obra_app has the privileges that it needs, and no others')]
}

async function lacking (query: Query): Promise<string[]> {
  const names = [...Object.keys(rights), ...resources]
  const rows = await query(`
    select name, to_regclass('public.' || name) is not null as there,
      array(select r from unnest(${allRights}) r where has_table_privilege(${serviceRole}, to_regclass('public.' || name)::oid, r)) as has
    from unnest(array[${names.map(name => `'${name}'`).join(', ')}]) name`)
  return rows.flatMap(({ name, there, has }) => {
    if (there === false) return [`table ${name} is missing: restore the database from a backup`]
    const missing = (rights[name] ?? all).filter(right => !has.includes(right)).join(', ')
    return missing === '' ? [] : [`obra_app lacks ${missing} on ${name}: run \`grant ${missing} on ${name} to obra_app\``]
  })
}

async function exceeding (query: Query): Promise<string[]> {
  const rows = await query(`
    select c.oid::regclass::text as name, a.grantee = 0 as everybody, array_agg(distinct lower(a.privilege_type)) as rights,
      n.nspname = 'public' and exists (
        select from pg_attribute k where k.attrelid = c.oid and k.attname = 'company_id' and not k.attisdropped) as business
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    cross join lateral (
      select c.relacl as acl union all select attacl from pg_attribute where attrelid = c.oid and attacl is not null) granted
    cross join lateral aclexplode(granted.acl) a
    where n.nspname in ('public', 'search') and c.relkind in ('r', 'p', 'v', 'm') and ${isOurs('pg_class', 'c.oid')}
      and (a.grantee = 0 or a.grantee = ${serviceRole})
    group by c.oid, n.nspname, a.grantee order by 1`)
  return rows.flatMap(({ name, everybody, rights, business }) => {
    const more = excess(name, rights, everybody, business).join(', ')
    const grantee = everybody === true ? 'public' : 'obra_app'
    return more === '' ? [] : [`${grantee} has ${more} on ${name}: run \`revoke ${more} on ${name} from ${grantee}\``]
  })
}

/** `security definer` functions that the service calls. */
const called = ['analyze_grown', 'lock_companies', 'locked_companies', 'purge_changes', 'search.candidates', 'search.index_changes']

/** Checks all `security definer` functions. A new one is executable by `public`, and a restore without privileges recreates them. */
async function calling (query: Query): Promise<string[]> {
  const rows = await query(`
    select p.oid::regproc::text as name, p.oid::regprocedure::text as signature,
      has_function_privilege('public', p.oid, 'execute') as everybody, has_function_privilege(${serviceRole}, p.oid, 'execute') as service
    from pg_proc p join pg_namespace n on n.oid = p.pronamespace where p.prosecdef and n.nspname in ('public', 'search')
      and ${isOurs('pg_proc', 'p.oid')} order by 1`)
  const missing = called.filter(wanted => !rows.some(({ name }) => name === wanted))
  return [
    ...missing.map(name => `function ${name} is missing or no longer security definer: run \`obra migrate\``),
    ...rows.flatMap(({ name, signature, everybody, service }) => [
      ...everybody === true
        ? [`public can execute ${signature} with its owner's privileges: run \`revoke execute on function ${signature} from public\``]
        : [],
      ...called.includes(name) && service === false
        ? [`obra_app cannot execute ${signature}: run \`grant execute on function ${signature} to obra_app\``]
        : []
    ])
  ]
}

/** Functions that bypass policies need their own owner. A restore without owners changes it. */
async function searching (query: Query): Promise<string[]> {
  const rows = await query(`
    select p.oid::regprocedure::text as name, p.proowner::regrole::text as owner
    from pg_proc p join pg_namespace n on n.oid = p.pronamespace
    where n.nspname = 'search' and p.proname in ('candidates', 'index_changes') and p.proowner::regrole::text <> 'obra_search'`)
  return rows.map(({ name, owner }) => `${name} runs with the privileges of ${owner}: run \`alter function ${name} owner to obra_search\``)
}

/** The owner of the search functions needs their tables. A restore without privileges leaves it none. */
async function indexing (query: Query): Promise<string[]> {
  const rows = await query(`
    select name, missing
    from (
      select c.oid, c.oid::regclass::text as name,
        case c.relname
          when 'search_resources' then array['select']
          when 'progress' then array['select', 'insert', 'update']
          else ${allRights}
        end as rights
      from pg_class c
      where c.relkind = 'r' and (c.relnamespace = to_regnamespace('search') or c.oid = to_regclass('public.search_resources'))) needed
    cross join lateral (
      select string_agg(r, ', ') as missing from unnest(rights) r where not has_table_privilege(${searchRole}, needed.oid, r)) m
    where missing is not null order by name`)
  return rows.map(({ name, missing }) => `obra_search lacks ${missing} on ${name}: run \`grant ${missing} on ${name} to obra_search\``)
}

/**
 * Checks that `obra_app` cannot create tables, because it would own them. Databases created by PostgreSQL 14 or older allow it to `public`.
 */
async function creating (query: Query): Promise<string[]> {
  const [row] = await query(`
    select has_schema_privilege(oid, 'public', 'create') as may from pg_roles where rolname = 'obra_app' and not rolsuper`)
  return row?.['may'] === true ? ['obra_app can create tables: run `revoke create on schema public from obra_app, public`'] : []
}
