-- Search by index (decision 8). Under row-level security PostgreSQL uses an index only for leakproof operators, which text search
-- operators are not. So the role obra_search, which the policies allow to read all rows, finds candidates and returns only their ids.
-- Writes of records do not maintain the index: search.index_changes adds changed records in batches, and until then search.candidates
-- finds them through the change log.

create table search_resources (
  name text primary key,
  reference text null,
  referred text null references search_resources (name),
  check ((reference is null) = (referred is null)));

-- The last entry of each company's change log that the search tables contain.
create table search.progress (
  company_id int primary key references companies (id) on delete cascade,
  revision bigint not null,
  resource varchar(32) not null,
  record_id bigint not null);

-- With a reference to another of these tables, a term also finds the records that refer to a match in that table.
insert into search_resources (name, reference, referred) values
  ('contrapartes', null, null), ('contracts', 'contraparte_id', 'contrapartes'), ('estimates', 'contract_id', 'contracts'),
  ('convenios', null, null), ('conceptos', null, null), ('generadores', null, null), ('pagos', null, null), ('movimientos', null, null),
  ('adjuntos', null, null), ('webhooks', null, null);

-- What the procedure keep_search_of makes for a later table. No plan depends on how frequent a lexeme is, so analyze need not count them.
-- Every search reads the pending list of the index, so it stays small.
do $$
declare kept search_resources;
begin
  for kept in select * from search_resources loop
    execute format('grant select (id, company_id, busqueda%s) on %I to obra_search', ', ' || kept.reference, kept.name);
    execute format('create policy search_candidates on %I for select to obra_search using (true)', kept.name);
    execute format('
      create table search.%I (
        company_id int not null,
        id bigint not null,
        busqueda text not null,
        reference bigint null,
        primary key (company_id, id))', kept.name);
    execute format('grant select, insert, update, delete on search.%I to obra_search', kept.name);
    execute format('
      create index %1$s_lexemes_index on search.%1$I using gin (search_lexemes(company_id, busqueda, reference))
      with (gin_pending_list_limit = 1024)', kept.name);
    execute format('alter index search.%s_lexemes_index alter column 1 set statistics 0', kept.name);
  end loop;
end $$;
create policy search_candidates on changes for select to obra_search using (true);
