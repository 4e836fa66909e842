import { Migration } from '@mikro-orm/migrations'

/**
 * Plans that do not depend on statistics: the policies are no conditions of indexes. And the service can analyze tables that have grown.
 */
export class Migration31Plans extends Migration {
  override up (): void {
    // As a condition of an index, `= any` made all indexes of a table look equal, because each begins with the company. Also for tables of
    // resources that others have added.
    this.addSql(`
      do $$
      declare
        walled name;
        admitted constant text := '(company_id = any ((select nullif(current_setting(''app.companies'', true), '''')::int[])::int[])) is true';
      begin
        for walled in
          select c.relname from pg_policy p join pg_class c on c.oid = p.polrelid
          where p.polname = 'company_admitted' and c.relnamespace = 'public'::regnamespace
        loop
          execute format('alter policy company_admitted on %1$I using (%2$s) with check (%2$s)',
            walled, case walled when 'idempotency_keys' then 'company_id is null or (' || admitted || ')' else admitted end);
        end loop;
      end $$`)

    // A table has grown if its file has more than twice the pages of its last analysis, of none without one. Analyzes the first such table
    // after "after" and returns it there, or null if there is none. With "target" 10, PostgreSQL samples 3,000 rows. Skips a table that
    // another session analyzes. Not pg_stats: forced row-level security hides it from the owner.
    this.addSql(`
      create function analyze_grown(inout after bigint, target int)
      language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
      declare
        fewest_pages constant int := 8;
        grown record;
      begin
        select c.oid, c.relnamespace::regnamespace as schema, c.relname as name into grown from pg_class c
        where c.relkind = 'r' and c.relnamespace in ('public'::regnamespace, 'search'::regnamespace) and c.oid::bigint > after
          and pg_has_role(c.relowner, 'usage')
          and pg_relation_size(c.oid) > current_setting('block_size')::bigint * greatest(2 * c.relpages, fewest_pages)
        order by c.oid limit 1;
        after := grown.oid;
        if after is not null then
          perform set_config('default_statistics_target', least(greatest(target, 1), 100)::text, true);
          execute format('analyze (skip_locked) %s.%I', grown.schema, grown.name);
        end if;
      end $$`)
    this.addSql('revoke execute on function analyze_grown(bigint, int) from public')
    this.addSql('grant execute on function analyze_grown(bigint, int) to obra_app')
  }
}
