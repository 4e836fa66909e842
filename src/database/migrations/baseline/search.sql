-- Search by index (decision 8). Under row-level security PostgreSQL uses an index only for leakproof operators, which text search
-- operators are not. So the role obra_search, which the policies allow to read all rows, finds candidates and returns only their ids.
-- Writes of records do not maintain the index: search.index_changes adds changed records in batches, and until then search.candidates
-- finds them through the change log.

-- The indexed lexemes of a record: for each word every second character with the three that follow it, and the referenced record. Each
-- lexeme slows a batch down, so there are only half as many as a search for any substring would need.
create function search_lexemes(company int, value text, reference bigint) returns tsvector
language plpgsql immutable parallel safe as $$
declare
  lexemes text[] := case when reference is null then '{}' else array[company || '#' || reference] end;
  prefix text := company || ':';
  word text;
begin
  foreach word in array string_to_array(value, ' ') loop
    for place in 1 .. length(word) by 2 loop
      lexemes := lexemes || (prefix || substr(word, place, 4));
    end loop;
  end loop;
  return array_to_tsvector(lexemes);
end $$;

-- The pieces that a record with the term must have: those from the term's first character or those from its second, because the term can
-- start at an odd or even position of a word. Null for a term of less than two characters. A long term uses its last two pieces: a third
-- one that many records have takes longer to look up than it saves. Words differ in all letters, numbers in their last digits. So the two
-- pieces overlap if there is a digit among the last four characters, and neither is only the common beginning of all numbers. If a single
-- piece omits the last character, the last three characters are looked up too if they contain a digit. Of words, they would match every
-- word with the same ending.
create function search_pieces(company int, term text) returns text
language sql immutable parallel safe strict as $$
  select '(' || string_agg(pieces, ' | ') || ')'
  from (
    select '(' || string_agg('''' || company || ':' || replace(replace(piece, '\', '\\'), '''', '''''') || '''' || case when length(piece) < 4 then ':*' else '' end, ' & ') || ')' as pieces
    from (values (1), (2)) starts (first)
    cross join lateral (
      select substr(term, greatest(length(term) - 3 - (length(term) - 3 - first) % 2 - before, first), 4) as piece
      from (values (0), (case when right(term, 4) ~ '[0-9]' then 2 else 4 end)) of_two (before)
      union
      select right(term, 3) where length(term) = first + 4 and right(term, 3) ~ '[0-9]') cut
    group by first) either
  where length(term) > 1 and strpos(term, ' ') = 0
$$;

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
create policy search_candidates on changes for select to obra_search using (true);

-- Called for a table with busqueda, by the migration that creates it or changes that column. With the column of a reference to another
-- such table, a term also finds the records that refer to a match in that table. No foreign key: it would lock records during a batch.
create procedure keep_search_of(resource text, reference text default null, referred text default null) language plpgsql as $procedure$
begin
  -- A running batch would write its progress after the reset below.
  perform pg_advisory_xact_lock(x'73656172'::int);
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
end $procedure$;
call keep_search_of('contrapartes');
call keep_search_of('contracts', 'contraparte_id', 'contrapartes');
call keep_search_of('estimates', 'contract_id', 'contracts');
call keep_search_of('webhooks');
