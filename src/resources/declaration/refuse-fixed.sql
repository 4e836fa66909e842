create or replace function refuse_fixed() returns trigger
language plpgsql as $$
begin
  raise exception '%.% is fixed', tg_table_name, tg_argv[0]
    using errcode = 'check_violation', table = tg_table_name, constraint = tg_table_name || '_' || tg_argv[0] || '_fixed';
end
$$;
