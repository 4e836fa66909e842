-- Runs after the statement, so that one statement can delete the last several estimates.
create or replace function keep_estimate_numbers() returns trigger
language plpgsql
set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off set jit = off as $$
begin
  perform lock_companies(array[old.company_id]);
  if old.neto is not null or exists (
    select from estimates e
    where e.company_id = old.company_id and e.contract_id = old.contract_id and e.numero > old.numero
      and case e.tipo when 'anticipo' then 1 else 0 end = case old.tipo when 'anticipo' then 1 else 0 end)
  then
    raise exception 'only the last estimate of a contract can go, and none that was authorized'
      using errcode = 'check_violation', constraint = 'estimates_numbers';
  end if;
  return null;
end
$$;
