import pg from 'pg'
import type { EntityManager } from '@mikro-orm/postgresql'
import { applicationName, type Orm } from './orm.ts'
import { isOwner } from './owner.ts'
import { loginSettings } from './session-settings.ts'

const { escapeIdentifier } = pg

/** An owner's login to which an earlier release gave the settings of the service in this database. */
interface ChangedOwner {
  login: string
  database: string
  settings: string[]
  /** Whether the user may change the login's settings. */
  allowed: boolean
  /** Whether servers of an earlier release use it. Their new connections need the settings. */
  used: boolean
}

/** The result of {@link restoreOwners}. */
interface RestoredOwners {
  restored: string[]
  /** Logins that servers of an earlier release use. */
  used: string[]
  /** SQL for the logins that the user may not change. */
  forbidden: string[]
}

// Connections of earlier releases have no application name.
async function changedOwners (em: EntityManager): Promise<ChangedOwner[]> {
  return await em.execute<ChangedOwner[]>(`
    select r.rolname::text as login, d.datname::text as database, s.setconfig as settings, u.rolsuper or u.oid = r.oid as allowed,
      exists (
        select from pg_stat_activity a
        where a.usesysid = r.oid and a.datid = d.oid and a.pid <> pg_backend_pid()
          and a.application_name not like '${applicationName}%' and a.application_name <> 'psql') as used
    from pg_db_role_setting s
      join pg_database d on d.oid = s.setdatabase
      join pg_roles r on r.oid = s.setrole
      join pg_roles u on u.rolname = session_user
    where d.datname = current_database() and 'role=obra_app' = any (s.setconfig) and ${isOwner('r.oid')} order by 1`)
}

/** The SQL that removes the settings of the service. Settings with other values are the owner's own. */
function restoring ({ login, database, settings }: ChangedOwner): string[] {
  return Object.entries(loginSettings)
    .filter(([name, value]) => settings.some(setting => setting.toLowerCase() === `${name}=${value}`.toLowerCase()))
    .map(([name]) => `alter role ${escapeIdentifier(login)} in database ${escapeIdentifier(database)} reset ${name}`)
}

/** Removes the service's settings from logins of owners. Earlier releases set them, so that `psql` and `pg_dump` acted as the service. */
export async function restoreOwners (orm: Orm): Promise<RestoredOwners> {
  return await orm.em.fork().transactional(async (em) => {
    const changed = await changedOwners(em)
    const ready = changed.filter(({ allowed, used }) => allowed && !used)
    for (const owner of ready) for (const statement of restoring(owner)) await em.execute(statement)
    return {
      restored: ready.map(({ login }) => login),
      used: changed.filter(({ used }) => used).map(({ login }) => login),
      forbidden: changed.filter(({ allowed, used }) => !allowed && !used).flatMap(restoring)
    }
  })
}
