import pg from 'pg'
import type { EntityManager } from '@mikro-orm/postgresql'
import { lockFor } from './advisory-locks.ts'
import type { Orm } from './orm.ts'

const { escapeIdentifier } = pg

/** SQL of the oids of logins with the settings of the service in the current database, which `obra migrate --login` set up. */
export const serverLogins = `
  select s.setrole from pg_db_role_setting s join pg_database d on d.oid = s.setdatabase
  where d.datname = current_database() and 'role=obra_app' = any (s.setconfig)`

/** SQL of whether every login of the cluster can connect to the current database, which is PostgreSQL's default. */
export const isOpen = `exists (
  select from pg_database, aclexplode(coalesce(datacl, acldefault('d', datdba)))
  where datname = current_database() and grantee = 0 and privilege_type = 'CONNECT')`

/** Whether the privilege to connect changed, or the SQL for a user who may change it. */
interface Reservation {
  reserved: boolean
  forbidden: string[]
}

interface Access {
  database: string
  open: boolean
  allowed: boolean
  lacking: string[]
}

/** @param login of the servers */
async function accessOf (em: EntityManager, login: string): Promise<Access> {
  const [access] = await em.execute<[Access]>(`
    select d.datname::text as database, ${isOpen} as open, pg_has_role(session_user, d.datdba, 'usage') as allowed,
      array(
        select r.rolname::text from pg_roles r
        where (r.rolname in (session_user, ?) or r.oid in (${serverLogins}) or r.oid in (
            select relowner from pg_class where relkind = 'r' and relnamespace = to_regnamespace('public')))
          and r.rolcanlogin and not pg_has_role(r.oid, d.datdba, 'usage')
          and not exists (select from aclexplode(d.datacl) where grantee = r.oid and privilege_type = 'CONNECT')
        order by 1) as lacking
    from pg_database d where d.datname = current_database()`, [login])
  return access
}

/**
 * Lets only the owners and the servers connect to the database. All databases of a cluster share the role `obra_app`, so a login of another
 * installation could take it here.
 * @param orm connected as the owner of the migrated tables
 * @param login of the servers
 */
export async function reserveDatabase (orm: Orm, login: string): Promise<Reservation> {
  return await orm.em.fork().transactional(async (em) => {
    await em.execute(lockFor('reservation').text) // commands may run together
    const { database, open, allowed, lacking } = await accessOf(em, login)
    const name = escapeIdentifier(database)
    const statements = [
      ...lacking.map(other => `grant connect on database ${name} to ${escapeIdentifier(other)}`),
      ...open ? [`revoke connect on database ${name} from public`] : []
    ]
    if (!allowed) return { reserved: false, forbidden: statements }
    for (const statement of statements) await em.execute(statement)
    return { reserved: statements.length > 0, forbidden: [] }
  })
}
