-- A migration calls it for each table with a history. The arguments are words of a declaration: the table, the columns whose values the
-- history has, the columns whose changes it notes without values, the column of the company, and the column of the customer. The triggers
-- have the same arguments, so that the comparison of schemas finds a changed declaration.
create or replace procedure keep_history_of(relation text, shown text, hidden text, company text, customer text)
language plpgsql as $$
declare
  args text := format('%L, %L, %L, %L', shown, hidden, company, customer);
  company_column text := case company when '' then '0' else format('r.%I', company) end;
  about text := concat_ws(', ', company_column,
    case customer when '' then 'null::int' else format('r.%I', customer) end,
    case
      when relation = 'contracts' then 'r.id'
      when 'contract_id' = any (string_to_array(shown, ',')) then 'r.contract_id'
      else 'null::bigint' end,
    quote_literal(relation), 'r.id', 'r.version', 'changed_at',
    format('coalesce((callers ->> (%L || r.id))::int, actor)', relation || '/'));
  columns text := (select string_agg(format('r.%I', c), ', ') from unnest(string_to_array(shown, ',')) c);
  -- A record that moves to another customer leaves one history and enters the other. Neither shows the values of the other side.
  moves text := format('o.%1$I is distinct from r.%1$I', customer);
  moved text := case customer when '' then 'f.fields' else format(
    'case when %s
      then (select jsonb_object_agg(c.key, jsonb_build_array(null, c.value -> 1)) from jsonb_each(f.fields) c)
      else f.fields end', moves) end;
  leaving text := case customer when '' then '' else format('
        insert into history (company_id, customer, contract, resource, record_id, version, at, caller, operation, fields)
        select %s, %L, jsonb_build_object(%L, jsonb_build_array(o.%I, null)) from new_rows r join old_rows o on o.id = r.id where %s;',
    replace(about, format('r.%I', customer), format('o.%I', customer)), 'update', customer, customer, moves) end;
  -- Compares column by column: a row as jsonb, taken apart again, costs eight times as much.
  changed text := (
    select coalesce(string_agg(format('
          case when o.%1$I is distinct from r.%1$I
            then jsonb_build_object(%1$L, jsonb_build_array(o.%1$I, r.%1$I)) else ''{}'' end', c), ' ||'), '''{}''::jsonb')
    from unnest(string_to_array(shown, ',')) c);
  same text := (
    select coalesce(string_agg(format('o.%1$I is not distinct from r.%1$I', c), ' and '), 'true')
    from unnest(string_to_array(hidden, ',')) c);
  body text := $body$
    declare
      callers jsonb := nullif(current_setting('app.callers', true), '')::jsonb;
      actor int := nullif(current_setting('app.user', true), '')::int;
      admitted text := coalesce(current_setting('app.companies', true), '');
      changed_at timestamptz := clock_timestamp();
    begin
      -- Writes to accounts admit no company.
      if tg_op = 'INSERT' then
        perform set_config('app.companies', (select array_agg(distinct %2$s)::text from new_rows r), true);
        insert into history (company_id, customer, contract, resource, record_id, version, at, caller, operation, fields)
        select %1$s, 'insert', (select to_jsonb(v) from (select %3$s) v) from new_rows r;
      elsif tg_op = 'DELETE' then
        perform set_config('app.companies', (select array_agg(distinct %2$s)::text from old_rows r), true);
        insert into history (company_id, customer, contract, resource, record_id, version, at, caller, operation, fields)
        select %1$s, 'delete', (select to_jsonb(v) from (select %3$s) v) from old_rows r;
      else
        perform set_config('app.companies', (select array_agg(distinct %2$s)::text from new_rows r), true);
        insert into history (company_id, customer, contract, resource, record_id, version, at, caller, operation, fields)
        select %1$s, 'update', coalesce(%6$s, '{}')
        from new_rows r join old_rows o on o.id = r.id
        cross join lateral (select nullif(%4$s, '{}') as fields offset 0) f
        where f.fields is not null or not (%5$s);%7$s
      end if;
      perform set_config('app.companies', admitted, true);
      return null;
    end $body$;
begin
  -- The number of rows of a transition table is known only when the statement runs, so the plan must suit many rows.
  execute format('
    create or replace function %I() returns trigger
    language plpgsql security definer set search_path = pg_catalog, public, pg_temp
    set enable_nestloop = off set enable_mergejoin = off set jit = off as %L',
    relation || '_history',
    format(body, about, company_column, columns, changed, same, moved, leaving));
  -- Nobody else may put it on a table of their own, whose rows would then have a history as this one's.
  execute format('revoke execute on function %I() from public', relation || '_history');
  execute format('
    create or replace trigger save_history_insert after insert on %1$I referencing new table as new_rows
    for each statement execute function %2$I(%3$s)', relation, relation || '_history', args);
  execute format('
    create or replace trigger save_history_update after update on %1$I referencing old table as old_rows new table as new_rows
    for each statement execute function %2$I(%3$s)', relation, relation || '_history', args);
  execute format('
    create or replace trigger save_history_delete after delete on %1$I referencing old table as old_rows
    for each statement execute function %2$I(%3$s)', relation, relation || '_history', args);
end
$$;
revoke execute on procedure keep_history_of(IN relation text, IN shown text, IN hidden text, IN company text, IN customer text) from public;
