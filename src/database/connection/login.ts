import pg from 'pg'
import type { EntityManager } from '@mikro-orm/postgresql'
import { lockFor } from './advisory-locks.ts'
import type { Orm } from './orm.ts'
import { isOwner } from './owner.ts'
import { loginSettings } from './session-settings.ts'
import { sqlState } from './sql-errors.ts'

const { escapeIdentifier, escapeLiteral } = pg

/** The login as PostgreSQL knows it. `missing` is whether there is no such role that can log in. */
interface Login {
  login: string
  user: string
  database: string
  missing: boolean
  member: boolean
  owner: boolean
  settings: string[]
}

/** SQL of the privilege to act as a role. */
export const mayAct = "case when current_setting('server_version_num')::int >= 160000 then 'set' else 'member' end"

async function find (em: EntityManager, login: string | undefined): Promise<Login> {
  const [found] = await em.execute<[Login]>(`
    select l.name as login, session_user::text as user, current_database()::text as database, coalesce(not r.rolcanlogin, true) as missing,
      coalesce(pg_has_role(r.oid, 'obra_app', ${mayAct}), false) as member, coalesce(${isOwner('r.oid')}, false) as owner,
      coalesce((
        select s.setconfig from pg_db_role_setting s join pg_database d on d.oid = s.setdatabase
        where d.datname = current_database() and s.setrole = r.oid), '{}') as settings
    from (select coalesce(?::text, session_user::text) as name) l left join pg_roles r on r.rolname = l.name`, [login ?? null])
  return found
}

/** The SQL that gives a login the role and the settings it lacks in its database. An owner's login keeps its settings. */
function lacking ({ login, database, member, owner, settings }: Login): string[] {
  const present = new Map(settings.map((setting): [string, string] => {
    const at = setting.indexOf('=')
    return [setting.slice(0, at).toLowerCase(), setting.slice(at + 1)]
  }))
  const name = escapeIdentifier(login)
  return [
    ...member ? [] : [`grant obra_app to ${name}`],
    ...owner
      ? []
      : Object.entries(loginSettings)
        .filter(([setting, value]) => present.get(setting) !== String(value))
        .map(([setting, value]) =>
          `alter role ${name} in database ${escapeIdentifier(database)} set ${setting} = ${escapeLiteral(String(value))}`)
  ]
}

/**
 * Gives a login the role of the service and, unless it is an owner's, the settings, in the current database. Open sessions keep theirs.
 * @param orm connected as the owner of the migrated tables
 * @param login an existing role. Default: the user of the connection.
 * @returns its name, and whether something has changed
 * @throws {Error} if the role does not exist or the user lacks the right to change it
 */
export async function setUpLogin (orm: Orm, login?: string): Promise<{ login: string, changed: boolean }> {
  return await orm.em.fork().transactional(async (em) => {
    await em.execute(lockFor('login').text) // processes may start together
    const found = await find(em, login)
    if (found.missing) {
      const remedy = `create role ${escapeIdentifier(found.login)} login password '…'`
      throw new Error(`PostgreSQL has no login ${found.login}: create it with \`${remedy}\``)
    }
    const statements = lacking(found)
    try {
      for (const statement of statements) await em.execute(statement)
    } catch (error) {
      if (sqlState(error) !== '42501') throw error
      const remedy = `run as a superuser: ${statements.join('; ')}`
      throw new Error(`${found.user} may not set up the login ${found.login}; ${remedy}`, { cause: error })
    }
    return { login: found.login, changed: statements.length > 0 }
  })
}
