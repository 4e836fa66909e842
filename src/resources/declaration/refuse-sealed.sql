-- Argument: the name of the rule.
create or replace function refuse_sealed() returns trigger
language plpgsql as $$
begin
  raise exception '% % is sealed', tg_table_name, old.id
    using errcode = 'check_violation', table = tg_table_name, constraint = tg_argv[0];
end
$$;
