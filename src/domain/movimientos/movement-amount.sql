-- What a percentage of an estimate is of, times the percentage.
create or replace function movement_amount(of_company int, of_estimate bigint, of_base text, porcentaje numeric) returns numeric
language plpgsql stable
set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off set jit = off as $$
declare estimate record; amount numeric;
begin
  select e.* into estimate from estimates e
  where e.company_id = of_company and e.id = by_index(of_estimate) limit 1;
  if of_base = 'monto' then
    amount := estimate.monto;
  elsif estimate.neto is not null then
    amount := case of_base when 'subtotal' then estimate.subtotal else estimate.iva end;
  else
    select case of_base when 'subtotal' then a.subtotal else a.iva end into amount
    from estimate_amounts(
      estimate.company_id, estimate.contract_id, estimate.id, estimate.tipo, estimate.monto, estimate.anticipo, estimate.sin_anticipo,
      estimate.deductivas, estimate.anticipo_porcentaje, estimate.retencion_porcentaje, estimate.iva_porcentaje,
      estimate.derechos_porcentaje, estimate.retencion_antes_iva, estimate.cargos_fijos_antes, estimate.cargos_fijos_despues,
      estimate.porcentajes) a;
  end if;
  return movement_percentage(amount, porcentaje);
end
$$;
