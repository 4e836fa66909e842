import pg from 'pg'
import type { EntityManager } from '@mikro-orm/postgresql'
import type { SessionSettings } from './connection-check.ts'
import type { Orm } from './orm.ts'
import { sqlState } from './sql.ts'

/**
 * Settings of every session of the service. The role neither owns tables nor bypasses policies. Generic plans keep PostgreSQL from
 * planning named statements again for each execution.
 */
export const serviceSettings = {
  role: 'obra_app',
  row_security: 'on',
  plan_cache_mode: 'force_generic_plan',
  jit: 'off',
  timezone: 'UTC'
}

/**
 * Settings of the service's login. They belong to the role in PostgreSQL, because poolers drop startup options and `DISCARD ALL` resets a
 * session to the settings of its role. Timeouts in ms: a lost host or a forgotten lock must not block others forever. After a short lock
 * timeout the connection is free, and the write is retried.
 */
export const loginSettings: SessionSettings = {
  ...serviceSettings,
  statement_timeout: 15_000,
  lock_timeout: 100,
  idle_in_transaction_session_timeout: 60_000
}

const { escapeIdentifier, escapeLiteral } = pg

/** Starts a session as the owner of the tables, whose login may have the settings of the service. */
export const startAsOwner = `set role none; set timezone = 'UTC'; set plan_cache_mode = auto;
  set statement_timeout = 0; set lock_timeout = 0; set idle_in_transaction_session_timeout = 0`

/** The login as PostgreSQL knows it. `missing` is whether there is no such role that can log in. */
interface Login {
  login: string
  user: string
  database: string
  missing: boolean
  member: boolean
  settings: string[]
}

async function find (em: EntityManager, login: string | undefined): Promise<Login> {
  const [found] = await em.execute<[Login]>(`
    select l.name as login, session_user::text as user, current_database()::text as database, coalesce(not r.rolcanlogin, true) as missing,
      coalesce(pg_has_role(r.oid, 'obra_app', case when current_setting('server_version_num')::int >= 160000 then 'set' else 'member' end), false) as member,
      coalesce((select s.setconfig from pg_db_role_setting s join pg_database d on d.oid = s.setdatabase where d.datname = current_database() and s.setrole = r.oid), '{}') as settings
    from (select coalesce(?::text, session_user::text) as name) l left join pg_roles r on r.rolname = l.name`, [login ?? null])
  return found
}

/** The SQL that gives a login the role and the settings it lacks in its database. */
function lacking ({ login, database, member, settings }: Login): string[] {
  const present = new Map(settings.map((setting): [string, string] => {
    const at = setting.indexOf('=')
    return [setting.slice(0, at).toLowerCase(), setting.slice(at + 1)]
  }))
  const name = escapeIdentifier(login)
  return [
    ...member ? [] : [`grant obra_app to ${name}`],
    ...Object.entries(loginSettings)
      .filter(([setting, value]) => present.get(setting) !== String(value))
      .map(([setting, value]) => `alter role ${name} in database ${escapeIdentifier(database)} set ${setting} = ${escapeLiteral(String(value))}`)
  ]
}

/**
 * Gives a login the role and the settings of the service, in the current database. Sessions that are already open keep theirs.
 * @param orm connected as the owner of the migrated tables
 * @param login an existing role. Default: the user of the connection.
 * @returns its name, and whether something has changed
 * @throws {Error} if the role does not exist or the user lacks the right to change it
 */
export async function setUpLogin (orm: Orm, login?: string): Promise<{ login: string, changed: boolean }> {
  return await orm.em.fork().transactional(async (em) => {
    await em.execute('select pg_advisory_xact_lock(?)', [0x6c6f6769]) // "logi"; processes may start together
    const found = await find(em, login)
    if (found.missing) throw new Error(`PostgreSQL has no login ${found.login}: create it with \`create role ${escapeIdentifier(found.login)} login password '…'\``)
    const statements = lacking(found)
    try {
      for (const statement of statements) await em.execute(statement)
    } catch (error) {
      if (sqlState(error) !== '42501') throw error
      throw new Error(`${found.user} may not set up the login ${found.login}; run as a superuser: ${statements.join('; ')}`, { cause: error })
    }
    return { login: found.login, changed: statements.length > 0 }
  })
}
