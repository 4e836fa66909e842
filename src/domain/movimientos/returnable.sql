-- What can be returned, and what the returns of an estimate are. Migration 49 creates movement_amount.
create or replace function returnable(of_company int, of_contract bigint, of_tipo text, before_tax bool) returns numeric
language plpgsql stable
set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off set jit = off as $$
begin
  return coalesce((
    select s.tomado from movement_sums s
    where s.company_id = of_company and s.contract_id = of_contract and s.tipo = of_tipo and s.antes_iva = before_tax), 0.00);
end
$$;
