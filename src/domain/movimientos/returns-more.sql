create or replace function returns_more(of_company int, of_contract bigint, of_estimate bigint) returns bool
language plpgsql stable
set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off set jit = off as $$
begin
  return exists (
    select from (
      select m.tipo, m.antes_iva, m.base, m.porcentaje, m.importe from movimientos m
      where m.company_id = of_company and m.estimate_id = by_index(of_estimate) and m.sentido = 'abono') m
    group by m.tipo, m.antes_iva
    having sum(coalesce(m.importe, movement_amount(of_company, of_estimate, m.base, m.porcentaje)))
      > returnable(of_company, of_contract, m.tipo, m.antes_iva));
end
$$;
