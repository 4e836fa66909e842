create or replace function keep_executed() returns trigger
language plpgsql
set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off set jit = off as $$
begin
  perform lock_companies(array[new.company_id]);
  if reduces_executed(new.company_id, new.id) then
    raise exception 'change order % would reduce what is executed', new.id
      using errcode = 'check_violation', constraint = 'convenios_executed';
  end if;
  return new;
end
$$;
