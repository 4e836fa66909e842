create or replace function keep_catalogue_unsettled() returns trigger
language plpgsql
set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off set jit = off as $$
declare settled bigint;
begin
  perform lock_companies(array(select distinct company_id from new_rows));
  select n.contract_id into settled from (select distinct company_id, contract_id from new_rows) n
  where is_settled(n.company_id, n.contract_id) limit 1;
  if settled is not null then
    raise exception 'contract % is settled', settled using errcode = 'check_violation', constraint = 'conceptos_contract_unsettled';
  end if;
  return null;
end
$$;
