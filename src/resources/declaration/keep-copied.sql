create or replace function keep_copied() returns trigger
language plpgsql
set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off set jit = off as $$
declare wrong bigint;
begin
  perform lock_companies(array(select distinct company_id from new_rows));
  execute format('
    select n.id from new_rows n join %I p on p.company_id = n.company_id and p.id = n.%I where n.%I is distinct from p.%I limit 1',
    tg_argv[2], tg_argv[1], tg_argv[0], tg_argv[3])
  into wrong;
  if wrong is not null then
    raise exception '% % has another % than its %', tg_table_name, wrong, tg_argv[0], tg_argv[2]
      using errcode = 'check_violation', table = tg_table_name, constraint = tg_table_name || '_' || tg_argv[0] || '_copied';
  end if;
  return null;
end
$$;
