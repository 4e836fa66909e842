import { Migration } from '@mikro-orm/migrations'

/** The role that the service works as, and the functions that tables are declared with. */
export class Migration1Functions extends Migration {
  override up (): void {
    // Roles belong to the whole cluster: another database's migration may be making the same one now.
    this.addSql(`
      do $$ begin
        create role obra_app nologin;
      exception when duplicate_object or unique_violation then null;
      end $$`)
    // From PostgreSQL 16 on a role's maker, unless a superuser, is a member who may grant it but not yet take it.
    this.addSql(`
      do $$ begin
        if not pg_has_role(current_user, 'obra_app', case when current_setting('server_version_num')::int >= 160000 then 'set' else 'member' end) then
          execute format('grant obra_app to %I', current_user);
        end if;
      end $$`)

    // What search compares: lower case, accents off (decomposed, then without the combining marks).
    this.addSql(`
      create function search_text(value text) returns text
      language sql immutable parallel safe strict
      return lower(regexp_replace(normalize(value, nfd), '[\\u0300-\\u036f]', '', 'g'))`)
  }
}
