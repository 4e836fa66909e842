create or replace function percentage_charges(
  of_company int, of_estimate bigint, before_tax bool, monto numeric, subtotal numeric, iva numeric
) returns numeric
language plpgsql stable
set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off set jit = off as $$
begin
  return (
    select coalesce(sum(case m.sentido when 'cargo' then m.importe else -m.importe end), 0.00)
    from (
      select m.sentido, movement_percentage(
        case m.base when 'monto' then monto when 'subtotal' then subtotal else iva end, m.porcentaje) as importe
      from (
        select m.sentido, m.base, m.porcentaje from movimientos m
        where m.company_id = of_company and m.estimate_id = by_index(of_estimate)
          and m.porcentaje is not null and m.antes_iva = before_tax) m) m);
end
$$;
