import { Migration } from '@mikro-orm/migrations'

/** The feed finds a device's name of a record by index. An analysis that is cancelled does not keep later tables from theirs. */
export class Migration35RefsAndStatistics extends Migration {
  override up (): void {
    this.addSql('create index "device_refs_record_index" on "device_refs" ("device_id", "record_id");')

    // As in migration 31. If the analysis is cancelled, as by `statement_timeout`, "cancelled" has the name of the table, and "after"
    // passes it.
    this.addSql('drop function analyze_grown(bigint, int)')
    this.addSql(`
      create function analyze_grown(inout after bigint, target int, out cancelled text)
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
          begin
            execute format('analyze (skip_locked) %s.%I', grown.schema, grown.name);
          exception when query_canceled then
            cancelled := grown.name;
          end;
        end if;
      end $$`)
    this.addSql('revoke execute on function analyze_grown(bigint, int) from public')
    this.addSql('grant execute on function analyze_grown(bigint, int) to obra_app')
  }
}
