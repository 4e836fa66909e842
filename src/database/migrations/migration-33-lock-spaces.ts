import { Migration } from '@mikro-orm/migrations'

/** The functions of the search index take their advisory lock in a space of its own, like the other purposes. */
export class Migration33LockSpaces extends Migration {
  override up (): void {
    // A running batch has the former lock.
    this.addSql("select pg_advisory_xact_lock(x'73656172'::int)")
    // obra_search owns one of the functions: see baseline/roles.sql.
    this.membership('grant obra_search to')
    this.addSql(`
      do $$
      declare locking regproc;
      begin
        foreach locking in array array['keep_search_of', 'search.index_changes']::regproc[] loop
          execute replace(pg_get_functiondef(locking), $lock$_lock(x'73656172'::int)$lock$, $lock$_lock(x'6f627207'::int, 0)$lock$);
        end loop;
      end $$`)
    this.membership('revoke obra_search from')
  }

  private membership (change: string): void {
    this.addSql(`
      do $$ begin
        if not (select rolsuper from pg_roles where rolname = current_user) then
          execute format('${change} %I', current_user);
        end if;
      end $$`)
  }
}
