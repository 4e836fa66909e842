-- Ids of a company's records with later entries in the change log than the search tables contain. Null if there are many entries. It reads
-- the log by index-only scans, which stop at the limit and which the settings of search.candidates disable.
create or replace function search.unindexed(of_company int, of_resource text) returns bigint[]
language plpgsql stable
set search_path = pg_catalog, public, pg_temp set enable_indexscan = on set enable_bitmapscan = off as $$
declare
  many constant int := 2000;
  indexed_to search.progress;
  entries int;
  ids bigint[];
begin
  select * into indexed_to from search.progress p where p.company_id = of_company;
  select count(*), coalesce(array_agg(distinct u.record_id) filter (where u.resource = of_resource), '{}') into entries, ids
  from (
    select c.resource, c.record_id from changes c
    where c.company_id = of_company
      and (c.revision, c.resource, c.record_id) > (coalesce(indexed_to.revision, -1), coalesce(indexed_to.resource, ''), coalesce(indexed_to.record_id, 0))
    limit many + 1) u;
  return case when entries <= many then ids end;
end
$$;
revoke execute on function search.unindexed(of_company integer, of_resource text) from public;
grant execute on function search.unindexed(of_company integer, of_resource text) to obra_search;
