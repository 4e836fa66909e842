import { Migration } from '@mikro-orm/migrations'

/** The role of the service, and functions that table definitions use. */
export class Migration1Functions extends Migration {
  override up (): void {
    // Roles belong to the whole cluster, so a migration of another database may create the same role concurrently.
    this.addSql(`
      do $$ begin
        create role obra_app nologin;
      exception when duplicate_object or unique_violation then null;
      end $$`)
    // From PostgreSQL 16 on, a user who creates a role and is not a superuser is a member that can grant the role, but not use it yet.
    this.addSql(`
      do $$ begin
        if not pg_has_role(current_user, 'obra_app', case when current_setting('server_version_num')::int >= 160000 then 'set' else 'member' end) then
          execute format('grant obra_app to %I', current_user);
        end if;
      end $$`)

    // Normalizes text for `search`: lower case, without accents (decomposed, without combining marks).
    this.addSql(`
      create function search_text(value text) returns text
      language sql immutable parallel safe strict
      return lower(regexp_replace(normalize(value, nfd), '[\\u0300-\\u036f]', '', 'g'))`)
  }
}
