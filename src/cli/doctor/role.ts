import { mayAct } from '../../database/connection/login.ts'
import { findingsOf, type Finding } from './finding.ts'
import { serviceRole, type Query } from './query.ts'

/** Attributes of a role that `obra_app` must not have, with the option of `alter role` that removes each. */
const remedies: Record<string, string> = {
  rolsuper: 'nosuperuser',
  rolbypassrls: 'nobypassrls',
  rolcreaterole: 'nocreaterole',
  rolcreatedb: 'nocreatedb',
  rolreplication: 'noreplication',
  rolcanlogin: 'nologin'
}

/** Checks the role of the service: it owns nothing, bypasses no policy and is a member of no other role. */
export async function examineRole (query: Query): Promise<Finding[]> {
  const { ok, failed } = findingsOf('role')
  const [role] = await query(`select ${Object.keys(remedies).join(', ')} from pg_roles where rolname = 'obra_app'`)
  if (role === undefined) {
    return [failed('the role obra_app is missing: restore it with `create role obra_app nologin` and the grants of the migrations')]
  }
  const findings = Object.entries(remedies).filter(([attribute]) => role[attribute] === true)
    .map(([, remedy]) => failed(`obra_app has an attribute that it must not have: run \`alter role obra_app ${remedy}\``))

  const owned = await query("select c.relname::text as name from pg_class c where c.relowner = 'obra_app'::regrole")
  if (owned.length > 0) {
    const names = owned.map(({ name }) => name).join(', ')
    const fact = `obra_app owns ${names}, and an owner can remove policies`
    findings.push(failed(`${fact}: change the owner with \`alter table … owner to …\``))
  }
  const member = await query("select m.roleid::regrole::text as role from pg_auth_members m where m.member = 'obra_app'::regrole")
  findings.push(...member.map(({ role }) => failed(`obra_app is a member of ${role}: run \`revoke ${role} from obra_app\``)))
  return findings.length > 0 ? findings : [ok('obra_app owns no tables and bypasses no policies')]
}

/** Checks the user of `DATABASE_URL`. The embedded database has only a superuser. */
export async function examineUser (query: Query): Promise<Finding> {
  const { ok, warning, failed } = findingsOf('user')
  const [user] = await query(`
    select rolname::text as name, rolsuper as super, rolbypassrls as bypasses, pg_has_role(oid, ${serviceRole}, ${mayAct}) as may,
      exists (
        select from pg_class c
        where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace and pg_has_role(r.oid, c.relowner, 'usage')) as owns
    from pg_roles r where rolname = session_user`)
  const { name, super: isSuper, bypasses, owns, may } = user
  if (may === false) {
    const fact = `the service connects as ${name}, which cannot assume the role obra_app`
    return failed(`${fact}: run \`obra migrate --login ${name}\` as the owner`)
  }
  const own = 'give servers a login of their own with `obra migrate --login`'
  if (isSuper === true) return warning(`the service connects as ${name}, a superuser, before it assumes the role obra_app: ${own}`)
  if (bypasses === true) return warning(`${name} bypasses row-level security without need: run \`alter role ${name} nobypassrls\``)
  if (owns === true) return warning(`${name} owns tables and can remove their policies: ${own}`)
  return ok(`${name} owns no tables and can assume the role obra_app`)
}
