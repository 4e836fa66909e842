-- Ids of the records that may have all terms (normalized by search_text) and of all that have them and are not indexed yet, or null if
-- there may be too many. It checks the company like the policies. If few referenced records have a term, they are part of one index query
-- for all such terms. Otherwise the term is looked up separately, and only if there is no such term.
create or replace function search.candidates(resource text, company int, terms text[], most int) returns bigint[]
language plpgsql stable security definer
set search_path = pg_catalog, public, pg_temp set enable_seqscan = off set enable_indexscan = off as $$
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
    term := search_form(term); pieces := search_pieces(company, term);
    continue when pieces is null;
    if kept.referred is null then
      matches := matches || format(' and strpos(search_form(t.busqueda), %L) > 0', term);
    else
      referred := search.candidates(kept.referred, company, array[term], most);
      continue when referred is null;
      if unindexed <> '{}' then
        matches := matches || format(' and (strpos(search_form(t.busqueda), %L) > 0 or t.%I = any (%L))', term, kept.reference, referred);
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
end
$$;
revoke execute on function search.candidates(resource text, company integer, terms text[], most integer) from public;
grant execute on function search.candidates(resource text, company integer, terms text[], most integer) to obra_app;
alter function search.candidates(resource text, company integer, terms text[], most integer) owner to obra_search;
