-- The only definition of an estimate's amounts. An advance that was delivered by documents is theirs. The advance of a settled contract is
-- repaid, and no later change of the contract agrees on another one.
create function advance_left(
  monto numeric, anticipo_porcentaje numeric, anticipos numeric, amortizacion numeric, liquidado boolean) returns numeric
language sql immutable return case when liquidado then 0.00 else greatest(0.00,
  case when anticipos > 0 then anticipos else round(monto * anticipo_porcentaje * 0.01, 2) end - coalesce(amortizacion, 0.00)) end;

create function derived_amounts(
  of_company int, of_estimate bigint, por_amortizar numeric, tipo text, monto numeric, anticipo numeric, sin_anticipo numeric,
  deductivas numeric, anticipo_porcentaje numeric, retencion_porcentaje numeric, iva_porcentaje numeric, derechos_porcentaje numeric,
  retencion_antes_iva boolean, fijos_antes numeric, fijos_despues numeric, porcentajes int)
returns table (
  amortizacion numeric, retencion numeric, cargos_antes_iva numeric, subtotal numeric, iva numeric, derechos numeric,
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

create function estimate_amounts(
  of_company int, of_contract bigint, of_estimate bigint, tipo text, monto numeric, anticipo numeric, sin_anticipo numeric,
  deductivas numeric, anticipo_porcentaje numeric, retencion_porcentaje numeric, iva_porcentaje numeric, derechos_porcentaje numeric,
  retencion_antes_iva boolean, fijos_antes numeric, fijos_despues numeric, porcentajes int)
returns table (
  amortizacion numeric, retencion numeric, cargos_antes_iva numeric, subtotal numeric, iva numeric, derechos numeric,
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
    where c.company_id = of_company and c.id between of_contract and of_contract order by c.id limit 1) remaining
  cross join lateral derived_amounts(
    of_company, of_estimate, remaining.por_amortizar, tipo, monto, anticipo, sin_anticipo, deductivas, anticipo_porcentaje,
    retencion_porcentaje, iva_porcentaje, derechos_porcentaje, retencion_antes_iva, fijos_antes, fijos_despues, porcentajes) d;
end;

-- Servers of the release before call it (decision 38). Their estimates are ordinary, have no lines of change orders and no movements, and
-- take retentions before tax.
create or replace function estimate_amounts(
  of_company int, of_contract bigint, monto numeric, deductivas numeric,
  anticipo_porcentaje numeric, retencion_porcentaje numeric, iva_porcentaje numeric)
returns table (amortizacion numeric, retencion numeric, subtotal numeric, iva numeric, neto numeric)
language sql stable rows 1
begin atomic
  select a.amortizacion, a.retencion, a.subtotal, a.iva, a.neto
  from estimate_amounts(
    of_company, of_contract, null::bigint, 'ordinaria', monto, 0.00, 0.00, deductivas, anticipo_porcentaje, retencion_porcentaje,
    iva_porcentaje, 0.00, true, 0.00, 0.00, 0) a;
end;

create or replace function movement_amount(of_company int, of_estimate bigint, of_base text, porcentaje numeric) returns numeric
language plpgsql stable as $$
declare estimate record; amount numeric;
begin
  select e.* into estimate from estimates e
  where e.company_id = of_company and e.id between of_estimate and of_estimate order by e.id limit 1;
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
end $$;

drop function estimate_amounts(
  int, bigint, bigint, numeric, numeric, numeric, numeric, numeric, numeric, numeric, boolean, numeric, numeric, int);
drop function derived_amounts(
  int, bigint, numeric, numeric, numeric, numeric, numeric, numeric, numeric, numeric, boolean, numeric, numeric, int);
drop function advance_left(numeric, numeric, numeric);

-- Whether the authorized advance documents of a contract and a further amount are more than the advance that was agreed.
create function exceeds_advance(of_company int, of_contract bigint, further numeric) returns boolean
language plpgsql stable as $$
begin
  return (
    select coalesce(s.anticipos, 0.00) + further
      > round((c.monto - coalesce(s.convenios_sin_anticipo, 0.00)) * c.anticipo_porcentaje * 0.01, 2)
    from contracts c left join contract_sums s on s.company_id = of_company and s.contract_id = of_contract
    where c.company_id = of_company and c.id = of_contract);
end $$;
