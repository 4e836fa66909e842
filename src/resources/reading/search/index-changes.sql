-- Indexes up to "most" changes of the first company after "after" that has more than "tolerated". Returns that company in "after", or null
-- if there is none. "indexed" is null if another process indexes. "problem" is the error of a batch, which a later pass repeats. A
-- cancelled batch counts as failed, so that the next company is indexed: `others` does not include it.
create or replace function search.index_changes(INOUT after int, tolerated int, most int, OUT indexed bool, OUT problem text) returns record
language plpgsql security definer
set search_path = pg_catalog, public, pg_temp as $$
declare
  changed record;
  indexed_to search.progress;
  last search.progress;
  kept search_resources;
  ids bigint[];
begin
  if not pg_try_advisory_xact_lock(x'6f627207'::int, 0) then
    return;
  end if;
  indexed := false;
  for changed in
    select r.company_id, r.revision from company_revisions r left join search.progress p on p.company_id = r.company_id
    where r.company_id > after and p.revision is distinct from r.revision + 1
    order by r.company_id
  loop
    select * into indexed_to from search.progress p where p.company_id = changed.company_id;
    indexed_to.revision := coalesce(indexed_to.revision, -1);
    indexed_to.resource := coalesce(indexed_to.resource, '');
    indexed_to.record_id := coalesce(indexed_to.record_id, 0);
    continue when tolerated >= (
      select count(*) from (
        select from changes c
        where c.company_id = changed.company_id and (c.revision, c.resource, c.record_id) > (indexed_to.revision, indexed_to.resource, indexed_to.record_id)
        limit tolerated + 1) unindexed);

    -- Entries up to this revision are committed, because writers raise it one after the other.
    select c.company_id, c.revision, c.resource, c.record_id into last from changes c
    where c.company_id = changed.company_id and c.revision <= changed.revision
      and (c.revision, c.resource, c.record_id) > (indexed_to.revision, indexed_to.resource, indexed_to.record_id)
    order by c.revision, c.resource, c.record_id offset least(greatest(most, 1), 1000) - 1 limit 1;
    if not found then
      last := (changed.company_id, changed.revision + 1, '', 0);
    end if;
    begin
      for kept in select * from search_resources loop
        ids := array(
          select distinct c.record_id from changes c
          where c.company_id = changed.company_id and c.resource = kept.name
            and (c.revision, c.resource, c.record_id) > (indexed_to.revision, indexed_to.resource, indexed_to.record_id)
            and (c.revision, c.resource, c.record_id) <= (last.revision, last.resource, last.record_id));
        continue when ids = '{}';
      -- The delete of a record after this statement has a later entry.
        execute format('
          delete from search.%1$I s where s.company_id = $1 and s.id = any ($2)
            and not exists (select from %1$I t where t.company_id = s.company_id and t.id = s.id)', kept.name)
          using changed.company_id, ids;
        execute format('
          insert into search.%1$I as s (company_id, id, busqueda, reference)
          select t.company_id, t.id, search_form(t.busqueda), %2$s from %1$I t where t.company_id = $1 and t.id = any ($2)
          on conflict (company_id, id) do update set busqueda = excluded.busqueda, reference = excluded.reference
            where (s.busqueda, s.reference) is distinct from (excluded.busqueda, excluded.reference)',
          kept.name, coalesce('t.' || quote_ident(kept.reference), 'null::bigint'))
          using changed.company_id, ids;
      end loop;
      insert into search.progress values (last.*)
      on conflict (company_id) do update set revision = excluded.revision, resource = excluded.resource, record_id = excluded.record_id;
      indexed := true;
    exception when query_canceled or others then
      problem := sqlerrm;
    end;
    after := changed.company_id;
    return;
  end loop;
  after := null;
end
$$;
revoke execute on function search.index_changes(INOUT after integer, tolerated integer, most integer, OUT indexed boolean, OUT problem text) from public;
grant execute on function search.index_changes(INOUT after integer, tolerated integer, most integer, OUT indexed boolean, OUT problem text) to obra_app;
alter function search.index_changes(INOUT after integer, tolerated integer, most integer, OUT indexed boolean, OUT problem text) owner to obra_search;
