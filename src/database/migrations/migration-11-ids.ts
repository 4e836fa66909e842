import { Migration } from '@mikro-orm/migrations'

/** Ids of business records become `bigint`. `public` loses the right to execute `security definer` functions. */
export class Migration11Ids extends Migration {
  override up (): void {
    this.rights()
    this.takeDown()
    this.columns()
    this.contracts()
    this.estimates()
    this.candidates()
    // A type change drops the column's statistics. Autovacuum creates new ones only after many changes.
    this.addSql('analyze contrapartes, contracts, estimates, changes')
    // Cached trigger expressions keep the old types: they contain no table, so the change does not invalidate them.
    this.addSql('discard plans')
  }

  private rights (): void {
    this.addSql('revoke execute on function lock_companies(int[]) from public')
    // Triggers on contracts and estimates call it as the role that writes.
    this.addSql('grant execute on function lock_companies(int[]) to obra_app')
    this.addSql('revoke execute on procedure keep_revisions_of(text), keep_search_of(text, text, text) from public')
  }

  /** Drops objects that depend on the columns' type. */
  private takeDown (): void {
    // obra_search created it: see migration 7.
    this.addSql(`
      do $$ begin
        if not (select rolsuper from pg_roles where rolname = current_user) then
          execute format('grant obra_search to %I', current_user);
        end if;
      end $$`)
    this.addSql('drop function search.candidates(text, int, text[], int)')
    for (const table of ['contrapartes', 'contracts', 'estimates']) {
      this.addSql(`drop index ${table}_search_index`)
      this.addSql(`drop policy search_candidates on ${table}`)
    }
    this.addSql('delete from search_resources')
    this.addSql('drop function search_lexemes(int, text, int)')
    this.addSql('drop function estimate_amounts(int, int, numeric, numeric, numeric, numeric, numeric)')
    this.addSql('drop function authorized_amount(int, int)')
    this.addSql('drop trigger refuse_cycle_insert on contracts')
    this.addSql('drop trigger refuse_cycle_update on contracts')
    this.addSql('alter table estimates drop constraint estimates_contract_foreign, drop constraint estimates_periodo_exclusion')
    this.addSql('alter table contracts drop constraint contracts_parent_foreign, drop constraint contracts_contraparte_foreign')
  }

  private columns (): void {
    this.addSql('alter table contrapartes alter column id type bigint')
    this.addSql('alter table contracts alter column id type bigint, alter column parent_id type bigint, alter column contraparte_id type bigint')
    this.addSql('alter table estimates alter column id type bigint, alter column contract_id type bigint')
    this.addSql('alter table changes alter column record_id type bigint')
    for (const table of ['contrapartes', 'contracts', 'estimates']) this.addSql(`alter sequence ${table}_id_seq as bigint`)
  }

  private contracts (): void {
    this.addSql('alter table contracts add constraint contracts_parent_foreign foreign key (company_id, parent_id) references contracts (company_id, id)')
    this.addSql('alter table contracts add constraint contracts_contraparte_foreign foreign key (company_id, contraparte_id) references contrapartes (company_id, id)')
    this.addSql('create trigger refuse_cycle_insert after insert on contracts for each row when (new.parent_id >= new.id) execute function refuse_contract_cycle()')
    this.addSql('create trigger refuse_cycle_update after update of parent_id on contracts for each row when (new.parent_id is distinct from old.parent_id) execute function refuse_contract_cycle()')
  }

  /** As in migration 5, except for the type of a contract's id. */
  private estimates (): void {
    this.addSql('alter table estimates add constraint estimates_contract_foreign foreign key (company_id, contract_id) references contracts (company_id, id)')
    this.addSql(`
      alter table estimates add constraint estimates_periodo_exclusion
      exclude using gist (int8range(contract_id, contract_id, '[]') with &&, daterange(periodo_inicio, periodo_fin, '[]') with &&)
      where (periodo_inicio is not null and estado not in ('rechazada', 'cancelada'))`)
    this.addSql(`
      create function estimate_amounts(of_company int, of_contract bigint, monto numeric, deductivas numeric, anticipo_porcentaje numeric, retencion_porcentaje numeric, iva_porcentaje numeric)
      returns table (amortizacion numeric, retencion numeric, subtotal numeric, iva numeric, neto numeric)
      language sql stable rows 1
      begin atomic
        select a.amortizacion, r.retencion, s.subtotal, i.iva, s.subtotal + i.iva
        from (
          select greatest(0.00, round(c.monto * estimate_amounts.anticipo_porcentaje * 0.01, 2) - (
            select coalesce(sum(e.amortizacion), 0.00) from estimates e where e.company_id = of_company and e.contract_id = of_contract and e.neto is not null)) as anticipo
          from contracts c where c.company_id = of_company and c.id = of_contract offset 0) remaining
        cross join lateral (select least(remaining.anticipo, round(monto * anticipo_porcentaje * 0.01, 2)) as amortizacion) a
        cross join lateral (select round((monto - a.amortizacion) * retencion_porcentaje * 0.01, 2) as retencion) r
        cross join lateral (select monto - a.amortizacion - r.retencion - deductivas as subtotal) s
        cross join lateral (select round(s.subtotal * iva_porcentaje * 0.01, 2) as iva) i;
      end`)
    this.addSql(`
      create function authorized_amount(of_company int, of_contract bigint) returns numeric
      language sql stable return (
        select coalesce(sum(e.monto), 0.00) from estimates e
        where e.company_id = of_company and e.contract_id = of_contract and e.neto is not null)`)
  }

  /** As in migration 7, except for the type of ids. */
  private candidates (): void {
    this.addSql(`
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
      end $$`)
    this.addSql(String.raw`
      create or replace procedure keep_search_of(resource text, reference text default null, referred text default null) language plpgsql as $procedure$
      begin
        insert into search_resources values (resource, reference, referred);
        -- Rows that wait for their place in the index are read by every search: few may.
        execute format('create index %I on %I using gin (search_lexemes(company_id, busqueda, %s)) with (gin_pending_list_limit = 1024)',
          resource || '_search_index', resource, coalesce(quote_ident(reference), 'null::bigint'));
        -- No plan depends on how frequent a lexeme is, so analyze need not count them.
        execute format('alter index %I alter column 1 set statistics 0', resource || '_search_index');
        execute format('grant select (id, company_id, busqueda%s) on %I to obra_search', coalesce(', ' || quote_ident(reference), ''), resource);
        execute format('create policy search_candidates on %I for select to obra_search using (true)', resource);
      end $procedure$`)
    this.addSql("call keep_search_of('contrapartes')")
    this.addSql("call keep_search_of('contracts', 'contraparte_id', 'contrapartes')")
    this.addSql("call keep_search_of('estimates', 'contract_id', 'contracts')")
    this.addSql(`
      create function search.candidates(resource text, company int, terms text[], most int) returns bigint[]
      language plpgsql stable security definer set search_path = pg_catalog, public, pg_temp set enable_seqscan = off set enable_indexscan = off as $$
      declare
        few constant int := 30;
        kept search_resources;
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
            limit $4)', kept.name, coalesce(quote_ident(kept.reference), 'null::bigint'))
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
