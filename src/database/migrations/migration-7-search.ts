import { Migration } from '@mikro-orm/migrations'

/**
 * Search by index. Under row-level security PostgreSQL uses an index only for leakproof operators, which text search operators are not. So a
 * separate role, which the policies allow to read all rows, finds candidates and returns only their ids.
 */
export class Migration7Search extends Migration {
  override up (): void {
    this.role()
    this.lexemes()
    this.resources()
    this.candidates()
    // The list of counterparties searches all their texts. The list of contracts searches only their names.
    this.addSql(`
      alter table contrapartes
        drop column busqueda,
        add column busqueda text generated always as (search_text(nombre || ' ' || coalesce(rfc, '') || ' ' || email || ' ' || telefono || ' ' || direccion || ' ' || notas)) stored not null,
        add column nombre_busqueda text generated always as (search_text(nombre)) stored not null`)
    this.addSql("call keep_search_of('contrapartes')")
    this.addSql("call keep_search_of('contracts', 'contraparte_id', 'contrapartes')")
    this.addSql("call keep_search_of('estimates', 'contract_id', 'contracts')")
  }

  private role (): void {
    // Roles belong to the whole cluster, so a migration of another database may create the same role concurrently.
    this.addSql(`
      do $$ begin
        create role obra_search nologin;
      exception when duplicate_object or unique_violation then null;
      end $$`)
    // Only a member of a role can create objects that it owns. The membership ends afterwards, because it also passes the policies.
    this.addSql(`
      do $$ begin
        if not (select rolsuper from pg_roles where rolname = current_user) then
          execute format('grant obra_search to %I', current_user);
        end if;
      end $$`)
    this.addSql('create schema search authorization obra_search')
    this.addSql('grant usage on schema search to obra_app')
  }

  private lexemes (): void {
    // The indexed lexemes of a record: for each word every second character with the three that follow it, and the referenced record. Each lexeme
    // slows every write down, so there are only half as many as a search for any substring would need.
    this.addSql(`
      create function search_lexemes(company int, value text, reference int) returns tsvector
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
      end $$`)
    // The pieces that a record with the term must have: those from the term's first character or those from its second, because the term can start
    // at an odd or even position of a word. A long term uses its last three pieces; more would narrow little and be slow if all records have them.
    // Null for a term of less than two characters.
    this.addSql(String.raw`
      create function search_pieces(company int, term text) returns text
      language sql immutable parallel safe strict as $$
        select '(' || string_agg(pieces, ' | ') || ')'
        from (
          select '(' || string_agg('''' || company || ':' || replace(replace(piece, '\', '\\'), '''', '''''') || '''' || case when length(piece) < 4 then ':*' else '' end, ' & ') || ')' as pieces
          from (values (1), (2)) starts (first)
          cross join lateral (
            select distinct substr(term, greatest(length(term) - 3 - (length(term) - 3 - first) % 2 - 4 * n, first), 4) as piece
            from generate_series(0, 2) n) cut
          group by first) either
        where length(term) > 1 and strpos(term, ' ') = 0
      $$`)
  }

  private resources (): void {
    this.addSql(`
      create table search_resources (
        name text primary key,
        reference text null,
        referred text null references search_resources (name),
        check ((reference is null) = (referred is null)))`)
    this.addSql('grant select on search_resources to obra_search')

    // Called once for a table with busqueda, by the migration that creates it. With the column of a reference to another such table, a term also
    // finds the records that refer to a match in that table.
    this.addSql(String.raw`
      create procedure keep_search_of(resource text, reference text default null, referred text default null) language plpgsql as $procedure$
      begin
        insert into search_resources values (resource, reference, referred);
        -- Rows that wait for their place in the index are read by every search: few may.
        execute format('create index %I on %I using gin (search_lexemes(company_id, busqueda, %s)) with (gin_pending_list_limit = 1024)',
          resource || '_search_index', resource, coalesce(quote_ident(reference), 'null::int'));
        -- No plan depends on how frequent a lexeme is, so analyze need not count them.
        execute format('alter index %I alter column 1 set statistics 0', resource || '_search_index');
        execute format('grant select (id, company_id, busqueda%s) on %I to obra_search', coalesce(', ' || quote_ident(reference), ''), resource);
        execute format('create policy search_candidates on %I for select to obra_search using (true)', resource);
      end $procedure$`)
  }

  private candidates (): void {
    // Ids of the records that may have all terms (normalized by search_text), or null if there may be too many. It checks the company like the
    // policies. If few referenced records have a term, they are part of one index query for all such terms. Otherwise the term is looked up
    // separately, and only if there is no such term.
    this.addSql(`
      create function search.candidates(resource text, company int, terms text[], most int) returns int[]
      language plpgsql stable security definer set search_path = pg_catalog, public, pg_temp set enable_seqscan = off set enable_indexscan = off as $$
      declare
        few constant int := 30;
        kept search_resources;
        term text;
        pieces text;
        referred int[];
        query text;
        other text;
        beside int[];
        ids int[];
      begin
        if (company = any (nullif(current_setting('app.companies', true), '')::int[])) is not true then
          return '{}';
        end if;
        select * into kept from search_resources where name = resource;
        if not found then
          return null;
        end if;
        foreach term in array terms loop
          pieces := search_pieces(company, term);
          continue when pieces is null;
          if kept.referred is not null then
            referred := search.candidates(kept.referred, company, array[term], most);
            continue when referred is null;
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
              (select id from %1$I where search_lexemes(company_id, busqueda, %2$s) @@ $1 limit $4)
              union (select id from %1$I where company_id = $2 and %2$s = any ($3) limit $4)) found
            limit $4)', kept.name, coalesce(quote_ident(kept.reference), 'null::int'))
          into ids using query::tsquery, company, beside, most + 1;
        return case when cardinality(ids) <= most then ids end;
      end $$`)
    this.addSql('alter function search.candidates(text, int, text[], int) owner to obra_search')
    this.addSql('revoke execute on function search.candidates(text, int, text[], int) from public')
    this.addSql('grant execute on function search.candidates(text, int, text[], int) to obra_app')
    this.addSql(`
      do $$ begin
        if not (select rolsuper from pg_roles where rolname = current_user) then
          execute format('revoke obra_search from %I', current_user);
        end if;
      end $$`)
  }
}
