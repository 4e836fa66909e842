-- Called for a table with busqueda, by the migration that creates it or changes that column. With the column of a reference to another
-- such table, a term also finds the records that refer to a match in that table. No foreign key: it would lock records during a batch.
create or replace procedure keep_search_of(resource text, reference text DEFAULT NULL::text, referred text DEFAULT NULL::text)
language plpgsql as $$
begin
  -- A running batch would write its progress after the reset below.
  perform pg_advisory_xact_lock(x'6f627207'::int, 0);
  insert into search_resources values (resource, reference, referred)
  on conflict (name) do update set reference = excluded.reference, referred = excluded.referred;
  execute format('grant select (id, company_id, busqueda%s) on %I to obra_search', coalesce(', ' || quote_ident(reference), ''), resource);
  execute format('drop policy if exists search_candidates on %I', resource);
  execute format('create policy search_candidates on %I for select to obra_search using (true)', resource);

  execute format('drop table if exists search.%I', resource);
  execute format('
    create table search.%I (
      company_id int not null,
      id bigint not null,
      busqueda text not null,
      reference bigint null,
      primary key (company_id, id))', resource);
  execute format('grant select, insert, update, delete on search.%I to obra_search', resource);
  -- Every search reads the pending list of the index, so it stays small.
  execute format('create index %1$I on search.%2$I using gin (search_lexemes(company_id, busqueda, reference)) with (gin_pending_list_limit = 1024)',
    resource || '_lexemes_index', resource);
  -- No plan depends on how frequent a lexeme is, so analyze need not count them.
  execute format('alter index search.%I alter column 1 set statistics 0', resource || '_lexemes_index');
  delete from search.progress;
end
$$;
revoke execute on procedure keep_search_of(IN resource text, IN reference text, IN referred text) from public;
