-- Writers of a company wait here for each other. The order of companies prevents deadlocks between writers of several companies. It looks
-- each company up: with few companies, one query would read the whole table, with all old versions of its rows.
create or replace function lock_companies(companies int[]) returns void
language plpgsql security definer
set search_path = pg_catalog, public, pg_temp as $$
declare company int;
begin
  for company in select distinct c from unnest(companies) c order by c loop
    perform from company_revisions where company_id = company for update;
  end loop;
end
$$;
revoke execute on function lock_companies(companies integer[]) from public;
grant execute on function lock_companies(companies integer[]) to obra_app;
