create or replace function apply_effect() returns trigger
language plpgsql
set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off set jit = off as $$
declare
  part text := 'select company_id, id, %I as other from %s';
  added text := format(part, tg_argv[1], 'new_rows');
  removed text := format(part, tg_argv[1], 'old_rows');
  written text := case tg_op when 'INSERT' then added when 'DELETE' then removed else added || ' union ' || removed end;
begin
  if tg_op = 'DELETE' then
    perform lock_companies(array(select distinct company_id from old_rows));
  else
    perform lock_companies(array(select distinct company_id from new_rows));
  end if;
  if current_setting('app.callers', true) <> '' then
    execute format('select note_causes(%L, %L, array_agg(other), array_agg(id)) from (%s) c', tg_argv[0], tg_table_name, written);
  end if;
  execute format('
    update %1$I p set %2$s from (select distinct company_id, other from (%3$s) c) w
    where p.company_id = w.company_id and p.id = w.other and (%4$s)', tg_argv[0], tg_argv[2], written, tg_argv[3]);
  return null;
end
$$;
