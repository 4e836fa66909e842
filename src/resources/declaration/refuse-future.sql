-- Argument: the column.
create or replace function refuse_future() returns trigger
language plpgsql as $$
begin
  raise exception 'the % of % is in the future', tg_argv[0], new.id
    using errcode = 'check_violation', constraint = tg_table_name || '_' || tg_argv[0] || '_future';
end
$$;
