create or replace function returned_in(of_company int, of_estimate bigint, of_tipo text, before_tax bool, except_id bigint) returns numeric
language plpgsql stable
set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off set jit = off as $$
begin
  return (
    select coalesce(sum(coalesce(m.importe, movement_amount(of_company, of_estimate, m.base, m.porcentaje))), 0.00)
    from (
      select m.id, m.tipo, m.antes_iva, m.base, m.porcentaje, m.importe from movimientos m
      where m.company_id = of_company and m.estimate_id = by_index(of_estimate) and m.sentido = 'abono') m
    where m.tipo = of_tipo and m.antes_iva = before_tax and m.id is distinct from except_id);
end
$$;
