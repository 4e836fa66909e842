import { Migration } from '@mikro-orm/migrations'

/** A function that finds the locked companies of a turn after a lock timeout. */
export class Migration16LockedCompanies extends Migration {
  override up (): void {
    // The service's role cannot lock these rows itself. `for share`, so that concurrent calls do not count each other as writers.
    this.addSql(`
      create function locked_companies(companies int[]) returns int[]
      language sql security definer set search_path = pg_catalog, public, pg_temp as $$
        with unlocked as materialized (
          select company_id from company_revisions where company_id = any (companies) for share skip locked)
        select array(select company from unnest(companies) company where company not in (select company_id from unlocked))
      $$`)
    this.addSql('revoke execute on function locked_companies(int[]) from public')
    this.addSql('grant execute on function locked_companies(int[]) to obra_app')
  }
}
