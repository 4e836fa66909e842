import { Migration } from '@mikro-orm/migrations'

/** A batch of the search index that is cancelled counts as failed, so that the next company is indexed. `others` does not include it. */
export class Migration24CancelledBatches extends Migration {
  override up (): void {
    // obra_search owns the function: see migration 7.
    this.membership('grant obra_search to')
    this.addSql(`
      do $$ begin
        execute replace(pg_get_functiondef('search.index_changes'::regproc), 'exception when others then', 'exception when query_canceled or others then');
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
