create or replace function analyze_grown(INOUT after bigint, target int, OUT cancelled text) returns record
language plpgsql security definer
set search_path = pg_catalog, public, pg_temp as $$
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
end
$$;
revoke execute on function analyze_grown(INOUT after bigint, target integer, OUT cancelled text) from public;
grant execute on function analyze_grown(INOUT after bigint, target integer, OUT cancelled text) to obra_app;
