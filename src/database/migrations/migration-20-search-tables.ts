import { Migration } from '@mikro-orm/migrations'

/**
 * Search tables: writes of records no longer maintain a search index. `search.index_changes` adds changed records to the tables in batches.
 * Until then, `search.candidates` finds these records through the change log (decision 8).
 */
export class Migration20SearchTables extends Migration {
  override up (): void {
    // Migration 7 describes this membership. It ends below.
    this.addSql(`
      do $$ begin
        if not (select rolsuper from pg_roles where rolname = current_user) then
          execute format('grant obra_search to %I', current_user);
        end if;
      end $$`)
    this.addSql("do $$ begin execute format('grant usage, create on schema search to %I', current_user); end $$")
    this.progress()
    this.tables()
    this.indexChanges()
    this.unindexed()
    this.candidates()
    this.addSql(`
      do $$ begin
        if not (select rolsuper from pg_roles where rolname = current_user) then
          execute format('revoke obra_search from %I', current_user);
        end if;
      end $$`)
  }

  private progress (): void {
    // The last entry of each company's change log that the search tables contain.
    this.addSql(`
      create table search.progress (
        company_id int primary key references companies (id) on delete cascade,
        revision bigint not null,
        resource varchar(32) not null,
        record_id bigint not null)`)
    this.addSql('grant select, insert, update on search.progress to obra_search')
    this.addSql('grant select (company_id, revision) on company_revisions to obra_search')
    this.addSql('grant select (company_id, revision, resource, record_id) on changes to obra_search')
    this.addSql('create policy search_candidates on changes for select to obra_search using (true)')
  }

  private tables (): void {
    // Called for a table with busqueda, by the migration that creates it or changes that column. With the column of a reference to another such
    // table, a term also finds the records that refer to a match in that table. No foreign key: it would lock records during a batch.
    this.addSql(String.raw`
      create or replace procedure keep_search_of(resource text, reference text default null, referred text default null) language plpgsql as $procedure$
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
      end $procedure$`)
    this.addSql(`
      do $$
      declare kept search_resources;
      begin
        for kept in select * from search_resources order by name loop
          execute format('drop index %I', kept.name || '_search_index');
          call keep_search_of(kept.name, kept.reference, kept.referred);
        end loop;
      end $$`)
  }

  private indexChanges (): void {
    // Indexes up to "most" changes of the first company after "after" that has more than "tolerated". Returns that company in "after", or null if
    // there is none. "indexed" is null if another process indexes. "problem" is the error of a batch, which a later pass repeats.
    this.addSql(String.raw`
      create function search.index_changes(inout after int, tolerated int, most int, out indexed boolean, out problem text)
      language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
      declare
        changed record;
        indexed_to search.progress;
        last search.progress;
        kept search_resources;
        ids bigint[];
      begin
        if not pg_try_advisory_xact_lock(x'73656172'::int) then
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
              -- The delete of a record after this statement has a later entry.
              execute format('
                delete from search.%1$I s where s.company_id = $1 and s.id = any ($2)
                  and not exists (select from %1$I t where t.company_id = s.company_id and t.id = s.id)', kept.name)
                using changed.company_id, ids;
              execute format('
                insert into search.%1$I as s (company_id, id, busqueda, reference)
                select t.company_id, t.id, t.busqueda, %2$s from %1$I t where t.company_id = $1 and t.id = any ($2)
                on conflict (company_id, id) do update set busqueda = excluded.busqueda, reference = excluded.reference
                  where (s.busqueda, s.reference) is distinct from (excluded.busqueda, excluded.reference)',
                kept.name, coalesce('t.' || quote_ident(kept.reference), 'null::bigint'))
                using changed.company_id, ids;
            end loop;
            insert into search.progress values (last.*)
            on conflict (company_id) do update set revision = excluded.revision, resource = excluded.resource, record_id = excluded.record_id;
            indexed := true;
          exception when others then
            problem := sqlerrm;
          end;
          after := changed.company_id;
          return;
        end loop;
        after := null;
      end $$`)
    this.addSql('alter function search.index_changes(int, int, int) owner to obra_search')
    this.addSql('revoke execute on function search.index_changes(int, int, int) from public')
    this.addSql('grant execute on function search.index_changes(int, int, int) to obra_app')
  }

  private unindexed (): void {
    // Ids of a company's records with later entries in the change log than the search tables contain. Null if there are many entries. It reads
    // the log by index-only scans, which stop at the limit and which the settings of search.candidates disable.
    this.addSql(`
      create function search.unindexed(of_company int, of_resource text) returns bigint[]
      language plpgsql stable set search_path = pg_catalog, public, pg_temp set enable_indexscan = on set enable_bitmapscan = off as $$
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
      end $$`)
    this.addSql('revoke execute on function search.unindexed(int, text) from public')
    this.addSql('grant execute on function search.unindexed(int, text) to obra_search')
  }

  private candidates (): void {
    // As in migration 11, and all records that have the terms and are not indexed yet.
    this.addSql(String.raw`
      create or replace function search.candidates(resource text, company int, terms text[], most int) returns bigint[]
      language plpgsql stable security definer set search_path = pg_catalog, public, pg_temp set enable_seqscan = off set enable_indexscan = off as $$
      declare
        few constant int := 30;
        kept search_resources;
        unindexed bigint[];
        matches text := '';
        term text;
        pieces text;
        referred bigint[];
        query text;
        other text;
        beside bigint[];
        ids bigint[];
      begin
        if (company = any (nullif(current_setting('app.companies', true), '')::int[])) is not true then
          return '{}';
        end if;
        select * into kept from search_resources where name = candidates.resource;
        if not found then
          return null;
        end if;
        unindexed := search.unindexed(company, kept.name);
        if unindexed is null then
          return null;
        end if;

        foreach term in array terms loop
          pieces := search_pieces(company, term);
          continue when pieces is null;
          if kept.referred is null then
            matches := matches || format(' and strpos(t.busqueda, %L) > 0', term);
          else
            referred := search.candidates(kept.referred, company, array[term], most);
            continue when referred is null;
            if unindexed <> '{}' then
              matches := matches || format(' and (strpos(t.busqueda, %L) > 0 or t.%I = any (%L))', term, kept.reference, referred);
            end if;
            if cardinality(referred) > few then
              other := pieces;
              beside := referred;
              continue;
            end if;
            select concat_ws(' | ', '(' || pieces || ')', string_agg('''' || company || '#' || id || '''', ' | ')) into pieces from unnest(referred) id;
          end if;
          query := concat_ws(' & ', query, '(' || pieces || ')');
        end loop;
        if query is not null then
          beside := '{}';
        elsif other is not null then
          query := other;
        else
          return null;
        end if;
        execute format('
          select array(
            select id from (
              (select id from search.%1$I where search_lexemes(company_id, busqueda, reference) @@ $1 limit $4)
              union (select id from %1$I where company_id = $2 and %2$s = any ($3) limit $4)
              union (select t.id from %1$I t where t.company_id = $2 and t.id = any ($5) %3$s limit $4)) found
            limit $4)', kept.name, coalesce(quote_ident(kept.reference), 'null::bigint'), matches)
          into ids using query::tsquery, company, beside, most + 1, unindexed;
        return case when cardinality(ids) <= most then ids end;
      end $$`)
  }
}
