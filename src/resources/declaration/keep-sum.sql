create or replace function keep_sum() returns trigger
language plpgsql
set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off set jit = off as $$
declare
  part text := 'select company_id, id, %I as parent, %s as n, %s%I as amount from %s where %s';
  added text := format(part, tg_argv[3], 1, '', tg_argv[4], 'new_rows', tg_argv[5]);
  removed text := format(part, tg_argv[3], -1, '-', tg_argv[4], 'old_rows', tg_argv[5]);
  changed text := case tg_op when 'INSERT' then added when 'DELETE' then removed else added || ' union all ' || removed end;
begin
  if tg_op = 'DELETE' then
    perform lock_companies(array(select distinct company_id from old_rows));
  else
    perform lock_companies(array(select distinct company_id from new_rows));
  end if;
  if current_setting('app.callers', true) <> '' then
    execute format('select note_causes(%L, %L, array_agg(parent), array_agg(id)) from (%s) c', tg_argv[0], tg_table_name, changed);
  end if;
  execute format('
    update %1$I p set %2$I = case p.%3$I when 0 then 0 else p.%2$I end + d.amount, %3$I = p.%3$I + d.n
    from (
      select company_id, parent, sum(n) as n, sum(amount) as amount from (%4$s) c
      group by company_id, parent having sum(n) <> 0 or sum(amount) <> 0) d
    where p.company_id = d.company_id and p.id = d.parent', tg_argv[0], tg_argv[1], tg_argv[2], changed);
  return null;
exception when numeric_value_out_of_range then
  raise exception 'the sum % of % would be too large', tg_argv[1], tg_argv[0]
    using errcode = 'check_violation', table = tg_table_name, constraint = tg_table_name || '_' || tg_argv[4] || '_sum';
end
$$;
