-- Whether the authorized advance documents of a contract and a further amount are more than the advance that was agreed.
create or replace function exceeds_advance(of_company int, of_contract bigint, further numeric) returns bool
language plpgsql stable
set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off set jit = off as $$
begin
  return (
    select coalesce(s.anticipos, 0.00) + further
      > round((c.monto - coalesce(s.convenios_sin_anticipo, 0.00)) * c.anticipo_porcentaje * 0.01, 2)
    from contracts c left join contract_sums s on s.company_id = of_company and s.contract_id = of_contract
    where c.company_id = of_company and c.id = of_contract);
end
$$;
