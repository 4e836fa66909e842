-- The amounts of an estimate over the sums of its contract.
create or replace function estimate_amounts(
  of_company int, of_contract bigint, of_estimate bigint, tipo text, monto numeric, anticipo numeric, sin_anticipo numeric, deductivas
  numeric, anticipo_porcentaje numeric, retencion_porcentaje numeric, iva_porcentaje numeric, derechos_porcentaje numeric,
  retencion_antes_iva bool, fijos_antes numeric, fijos_despues numeric, porcentajes int
) returns table (amortizacion numeric, retencion numeric, cargos_antes_iva numeric, subtotal numeric, iva numeric, derechos numeric,
  cargos_despues_iva numeric, neto numeric)
language sql stable rows 1
begin atomic
  select d.*
  from (
    -- `limit`: the result is not computed again for each reference to it.
    select advance_left(
      c.monto - coalesce(s.convenios_sin_anticipo, 0.00), c.anticipo_porcentaje, s.anticipos, s.amortizacion, s.liquidado) as por_amortizar
    from contracts c
    left join lateral (
      select s.convenios_sin_anticipo, s.anticipos, s.amortizacion, s.liquidado from contract_sums s
      where s.company_id = of_company and s.contract_id = of_contract offset 0) s on true
    where c.company_id = of_company and c.id = by_index(of_contract) limit 1) remaining
  cross join lateral derived_amounts(
    of_company, of_estimate, remaining.por_amortizar, tipo, monto, anticipo, sin_anticipo, deductivas, anticipo_porcentaje,
    retencion_porcentaje, iva_porcentaje, derechos_porcentaje, retencion_antes_iva, fijos_antes, fijos_despues, porcentajes) d;
end;

-- Servers of the release before call it (decision 38). Their estimates are ordinary, have no lines of change orders and no movements, and
-- take retentions before tax.
create or replace function estimate_amounts(
  of_company int, of_contract bigint, monto numeric, deductivas numeric, anticipo_porcentaje numeric, retencion_porcentaje numeric,
  iva_porcentaje numeric
) returns table (amortizacion numeric, retencion numeric, subtotal numeric, iva numeric, neto numeric)
language sql stable rows 1
begin atomic
  select a.amortizacion, a.retencion, a.subtotal, a.iva, a.neto
  from estimate_amounts(
    of_company, of_contract, null::bigint, 'ordinaria', monto, 0.00, 0.00, deductivas, anticipo_porcentaje, retencion_porcentaje,
    iva_porcentaje, 0.00, true, 0.00, 0.00, 0) a;
end;
