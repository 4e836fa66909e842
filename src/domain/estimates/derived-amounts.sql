-- The only definition of an estimate's amounts. Lines of change orders without advance repay none, and those of a draft can add up to less
-- than zero: they repay none either.
create or replace function derived_amounts(
  of_company int, of_estimate bigint, por_amortizar numeric, tipo text, monto numeric, anticipo numeric, sin_anticipo numeric,
  deductivas numeric, anticipo_porcentaje numeric, retencion_porcentaje numeric, iva_porcentaje numeric, derechos_porcentaje numeric,
  retencion_antes_iva bool, fijos_antes numeric, fijos_despues numeric, porcentajes int
) returns table (amortizacion numeric, retencion numeric, cargos_antes_iva numeric, subtotal numeric, iva numeric, derechos numeric,
  cargos_despues_iva numeric, neto numeric)
language sql stable rows 1
begin atomic
  -- `offset 0`: no amount is computed again for each reference to it.
  select w.amortizacion, w.retencion, w.cargos_antes_iva, w.subtotal, i.iva, i.derechos, c.cargos_despues_iva,
    w.subtotal + i.iva - i.derechos - case when retencion_antes_iva then 0.00 else w.retencion end - c.cargos_despues_iva
  from (
    select a.amortizacion, r.retencion, b.cargos_antes_iva,
      monto + anticipo - a.amortizacion - case when retencion_antes_iva then r.retencion else 0.00 end - deductivas
        - b.cargos_antes_iva as subtotal
    from (
      select case tipo
        when 'ordinaria' then greatest(0.00, least(por_amortizar, round((monto - sin_anticipo) * anticipo_porcentaje * 0.01, 2)))
        when 'finiquito' then por_amortizar
        else 0.00 end as amortizacion) a
    cross join lateral (
      select case tipo
        when 'ordinaria' then round((monto - a.amortizacion) * retencion_porcentaje * 0.01, 2)
        else 0.00 end as retencion) r
    cross join lateral (
      select fijos_antes + case porcentajes when 0 then 0.00
        else percentage_charges(of_company, of_estimate, true, monto, null, null) end as cargos_antes_iva offset 0) b
    offset 0) w
  cross join lateral (
    select round(w.subtotal * iva_porcentaje * 0.01, 2) as iva, round(monto * derechos_porcentaje * 0.01, 2) as derechos offset 0) i
  cross join lateral (
    select fijos_despues + case porcentajes when 0 then 0.00
      else percentage_charges(of_company, of_estimate, false, monto, w.subtotal, i.iva) end as cargos_despues_iva offset 0) c;
end;
