import { Migration } from '@mikro-orm/migrations'

/** Accounts as resources of the API: versions for `If-Match`, times of changes, searchable text. */
export class Migration6Accounts extends Migration {
  override up (): void {
    this.addSql(`
      create function touch_account() returns trigger language plpgsql as $$
      begin
        if new.id <> old.id then
          raise exception 'an account keeps its id' using errcode = 'check_violation';
        end if;
        new.version := old.version + 1;
        new.created_at := old.created_at;
        new.updated_at := clock_timestamp();
        return new;
      end $$`)
    for (const table of ['customers', 'companies', 'users', 'memberships']) {
      // Existing accounts count as unchanged since their creation.
      this.addSql(`alter table ${table} add column updated_at timestamptz(6) not null default clock_timestamp(), add column version int not null default 1`)
      this.addSql(`update ${table} set updated_at = created_at`)
      this.addSql(`create trigger touch_account before update on ${table} for each row execute function touch_account()`)
    }
    this.addSql('alter table customers add column busqueda text generated always as (search_text(nombre)) stored not null')
    this.addSql('alter table companies add column busqueda text generated always as (search_text(nombre)) stored not null')
    this.addSql("alter table users add column busqueda text generated always as (search_text(nombre || ' ' || email)) stored not null")
    // Each change of a Superusuario checks whether there is another active one.
    this.addSql('create index users_superusuarios_index on users (id) where activo and nivel_acceso = 6')
  }
}
