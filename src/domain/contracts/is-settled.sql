-- Whether a finiquito of the contract is authorized.
create or replace function is_settled(of_company int, of_contract bigint) returns bool
language plpgsql stable
set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off set jit = off as $$
begin
  return coalesce((
    select s.liquidado from contract_sums s where s.company_id = of_company and s.contract_id = of_contract), false);
end
$$;
