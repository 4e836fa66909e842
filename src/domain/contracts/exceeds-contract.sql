-- Extra work that is ordered, but not signed, raises what can be authorized.
create or replace function exceeds_contract(of_company int, of_contract bigint, monto numeric, further numeric) returns bool
language plpgsql stable
set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off set jit = off as $$
begin
  return coalesce((
    select s.autorizado - s.extra from contract_sums s
    where s.company_id = of_company and s.contract_id = of_contract), 0.00) + further > monto;
end
$$;
