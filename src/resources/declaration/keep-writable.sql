-- The state of a parent that allows writes can be an expression, and it can count for some of the records alone.
-- Arguments: the column of the parent, the parent's table, SQL of its state, the states that allow writes, the columns that stay writable,
-- and the condition of the records for which the state counts. Changes by triggers, such as a sum, are allowed.
create or replace function keep_writable() returns trigger
language plpgsql
set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off set jit = off as $$
declare
  written text := case tg_op
    when 'INSERT' then 'select n.* from new_rows n'
    when 'DELETE' then 'select o.* from old_rows o'
    else format('
      select n.* from new_rows n join old_rows o using (id) where to_jsonb(n) - $1 <> to_jsonb(o) - $1
      union all select o.* from old_rows o join new_rows n using (id) where n.%1$I <> o.%1$I', tg_argv[0]) end;
  closed bigint;
begin
  if tg_op = 'UPDATE' and pg_trigger_depth() > 1 then
    return null;
  end if;
  if tg_op = 'DELETE' then
    perform lock_companies(array(select distinct company_id from old_rows));
  else
    perform lock_companies(array(select distinct company_id from new_rows));
  end if;
  execute format('
    select p.id from (select distinct w.company_id as of_company, w.%1$I as parent from (%2$s) w where %5$s) r
    join %3$I p on p.company_id = r.of_company and p.id = r.parent
    where (%4$s)::text <> all ($2) limit 1', tg_argv[0], written, tg_argv[1], tg_argv[2], tg_argv[5])
  into closed
  using string_to_array(tg_argv[4], ',') || array['version', 'updated_at', 'busqueda'], string_to_array(tg_argv[3], ',');
  if closed is not null then
    raise exception '% % has a state that allows no changes of its %', tg_argv[1], closed, tg_table_name
      using errcode = 'check_violation', table = tg_table_name, constraint = tg_table_name || '_writable';
  end if;
  return null;
end
$$;
