create or replace function keep_settled() returns trigger
language plpgsql
set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off set jit = off as $$
begin
  perform lock_companies(array[new.company_id]);
  if is_settled(new.company_id, new.id) then
    raise exception 'contract % is settled', new.id using errcode = 'check_violation', constraint = 'contracts_not_settled';
  end if;
  return new;
end
$$;
