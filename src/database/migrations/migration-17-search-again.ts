import { Migration } from '@mikro-orm/migrations'

/** `keep_search_of` can be called again, after a change of the column that it indexes. */
export class Migration17SearchAgain extends Migration {
  override up (): void {
    this.addSql(String.raw`
      create or replace procedure keep_search_of(resource text, reference text default null, referred text default null) language plpgsql as $procedure$
      begin
        insert into search_resources values (resource, reference, referred)
        on conflict (name) do update set reference = excluded.reference, referred = excluded.referred;
        execute format('drop index if exists %I', resource || '_search_index');
        -- Rows that wait for their place in the index are read by every search: few may.
        execute format('create index %I on %I using gin (search_lexemes(company_id, busqueda, %s)) with (gin_pending_list_limit = 1024)',
          resource || '_search_index', resource, coalesce(quote_ident(reference), 'null::bigint'));
        -- No plan depends on how frequent a lexeme is, so analyze need not count them.
        execute format('alter index %I alter column 1 set statistics 0', resource || '_search_index');
        execute format('grant select (id, company_id, busqueda%s) on %I to obra_search', coalesce(', ' || quote_ident(reference), ''), resource);
        execute format('drop policy if exists search_candidates on %I', resource);
        execute format('create policy search_candidates on %I for select to obra_search using (true)', resource);
      end $procedure$`)
  }
}
