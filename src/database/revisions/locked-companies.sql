-- The locked companies of a turn after a lock timeout. The service's role cannot lock these rows itself. `for share`, so that concurrent
-- calls do not count each other as writers.
create or replace function locked_companies(companies int[]) returns int[]
language sql security definer
set search_path = pg_catalog, public, pg_temp as $$
with unlocked as materialized (
  select company_id from company_revisions where company_id = any (companies) for share skip locked)
select array(select company from unnest(companies) company where company not in (select company_id from unlocked))
$$;
revoke execute on function locked_companies(companies integer[]) from public;
grant execute on function locked_companies(companies integer[]) to obra_app;
