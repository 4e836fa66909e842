import { mayAct } from '../../database/connection/login.ts'
import { isOwner } from '../../database/connection/owner.ts'
import { isOpen, serverLogins } from '../../database/connection/reservation.ts'
import { listed } from '../listed.ts'
import { serviceRole, type Query } from './query.ts'
import { findingsOf, type Finding } from './finding.ts'

/** Logins other than owners, servers and superusers: whether they can take the service's role, create roles, and connect. */
const otherLogins = `
  select quote_ident(r.rolname) as login, pg_has_role(r.oid, ${serviceRole}, ${mayAct}) as service,
    r.rolcreaterole and current_setting('server_version_num')::int < 160000 as creator,
    has_database_privilege(r.oid, (select oid from pg_database where datname = current_database()), 'connect') as connects
  from pg_roles r
  where r.rolcanlogin and not r.rolsuper and r.rolname <> session_user and r.oid not in (${serverLogins}) and not ${isOwner('r.oid')}
  order by 1`

/** Checks which logins can connect to the database. The role `obra_app` belongs to the whole cluster, also to other installations on it. */
export async function examineAccess (query: Query): Promise<Finding[]> {
  const { ok, warning, failed } = findingsOf('access')
  const [{ database, open }] = await query<{ database: string, open: boolean }>(
    `select quote_ident(current_database()) as database, ${isOpen} as open`
  )
  const others = await query<{ login: string } & Record<'service' | 'connects' | 'creator', boolean>>(otherLogins)
  const names = (of: (login: typeof others[0]) => boolean) => others.filter(of).map(({ login }) => login)
  const intruders = names(({ service, connects }) => service === true && connects === true)
  const creators = names(({ creator }) => creator === true)
  const guests = names(({ service, connects }) => service !== true && connects === true)
  const close = open ? 'run `obra migrate` as the owner of the database' : `run \`revoke connect on database ${database} from …\``
  const findings: Finding[] = []
  if (intruders.length > 0) {
    const fact = 'other logins can connect and take the role obra_app, which reads and changes all data'
    findings.push(failed(`${fact}: ${listed(intruders)}; ${close}`))
  }
  if (creators.length > 0) {
    const fact = 'before PostgreSQL 16, a login with CREATEROLE can take over the logins of this database'
    findings.push(warning(`${fact}: ${listed(creators)}; run \`alter role … nocreaterole\``))
  }
  if (open && intruders.length === 0) findings.push(warning(`every login of the cluster can connect to this database: ${close}`))
  if (findings.length > 0) return findings
  return [ok(`only owners and servers can connect${guests.length === 0 ? '' : `, and without privileges ${listed(guests)}`}`)]
}
