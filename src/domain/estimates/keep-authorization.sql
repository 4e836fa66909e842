-- A contract with something authorized cannot be cancelled.
create or replace function keep_authorization() returns trigger
language plpgsql
set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off set jit = off as $$
begin
  perform lock_companies(array[new.company_id]);
  if exists (
    select from estimates e where e.company_id = new.company_id and e.contract_id = new.id and e.neto is not null)
  then
    raise exception 'contract % has authorized estimates', new.id
      using errcode = 'check_violation', constraint = 'contracts_without_authorization';
  end if;
  return new;
end
$$;
