/**
 * SQL of whether a role is a superuser, or can act as the owner of the database or of its tables. Its settings belong to a person, whose
 * `psql` and `pg_dump` they would change.
 * @param role SQL of the role's oid, with the alias of its table
 */
export function isOwner (role: string): string {
  return `(exists (select from pg_database where datname = current_database() and pg_has_role(${role}, datdba, 'member'))
    or exists (
      select from pg_class
      where relkind in ('r', 'p') and relnamespace = to_regnamespace('public') and pg_has_role(${role}, relowner, 'member')))`
}

/** SQL of whether the login of the session is an owner. */
export const sessionIsOwner =
  `select session_user::text as login, ${isOwner('r.oid')} as owner from pg_roles r where r.rolname = session_user`
