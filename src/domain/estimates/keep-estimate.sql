-- Sets the number, copies the percentages, and fixes the amounts at authorization. A row sees earlier rows of the same statement.
create or replace function keep_estimate() returns trigger
language plpgsql
set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off set jit = off as $$
declare contract record; sums record; agreed numeric;
begin
  perform lock_company(new.company_id);
  select c.monto, c.anticipo_porcentaje, c.retencion_porcentaje, c.iva_porcentaje, c.derechos_porcentaje, c.retencion_antes_iva
  into contract
  from contracts c where c.company_id = new.company_id and c.id = by_index(new.contract_id) limit 1;
  if tg_op = 'INSERT' then
    -- Its authorization settles the contract, which a row of an insert could follow.
    if new.tipo = 'finiquito' and new.estado in ('autorizada', 'pagada') then
      raise exception 'a finiquito starts as a draft' using errcode = 'check_violation', constraint = 'estimates_finiquito_draft';
    end if;
    if new.tipo = 'anticipo' then
      new.numero := 1 + coalesce((
        select e.numero from estimates e
        where e.company_id = new.company_id and e.contract_id = new.contract_id and e.tipo = 'anticipo'
        order by e.numero desc limit 1), 0);
    else
      new.numero := 1 + coalesce((
        select e.numero from estimates e
        where e.company_id = new.company_id and e.contract_id = new.contract_id and case e.tipo when 'anticipo' then 1 else 0 end = 0
        order by e.numero desc limit 1), 0);
    end if;
    -- 0 without a contract: the foreign key refuses the row.
    new.anticipo_porcentaje := coalesce(contract.anticipo_porcentaje, 0);
    new.retencion_porcentaje := coalesce(contract.retencion_porcentaje, 0);
    new.iva_porcentaje := coalesce(contract.iva_porcentaje, 0);
    new.derechos_porcentaje := coalesce(contract.derechos_porcentaje, 0);
    new.retencion_antes_iva := coalesce(contract.retencion_antes_iva, true);
  elsif (new.contract_id, new.numero, new.anticipo_porcentaje, new.retencion_porcentaje, new.iva_porcentaje, new.derechos_porcentaje,
    new.retencion_antes_iva) is distinct from (old.contract_id, old.numero, old.anticipo_porcentaje, old.retencion_porcentaje,
    old.iva_porcentaje, old.derechos_porcentaje, old.retencion_antes_iva)
  then
    raise exception 'an estimate keeps its contract, numero and percentages'
      using errcode = 'check_violation', constraint = 'estimates_identity';
  elsif old.neto is not null then
    if (new.monto, new.anticipo, new.deductivas, new.amortizacion, new.retencion, new.cargos_antes_iva, new.subtotal, new.iva, new.derechos,
      new.cargos_despues_iva, new.neto) is distinct from (old.monto, old.anticipo, old.deductivas, old.amortizacion, old.retencion,
      old.cargos_antes_iva, old.subtotal, old.iva, old.derechos, old.cargos_despues_iva, old.neto)
    then
      raise exception 'the amounts of an authorized estimate are fixed'
        using errcode = 'check_violation', constraint = 'estimates_fixed';
    end if;
    return new;
  end if;
  -- Lines are no field of a request, so the rule of `monto` does not see them.
  if tg_op = 'UPDATE' and new.lineas > old.lineas and new.tipo = 'finiquito' and new.estado not in ('rechazada', 'cancelada')
    and is_settled(new.company_id, new.contract_id)
  then
    raise exception 'contract % is settled and has no more work', new.contract_id
      using errcode = 'check_violation', constraint = 'estimates_no_work_check';
  end if;
  if new.estado in ('autorizada', 'pagada') then
    select s.autorizado, s.amortizacion, s.extra, s.convenios_sin_anticipo, s.anticipos, s.liquidado into sums
    from contract_sums s where s.company_id = new.company_id and s.contract_id = new.contract_id;
    if tg_op = 'INSERT' then
      -- The sums do not contain earlier rows of this statement. The API inserts only drafts.
      select sum(e.monto), sum(e.amortizacion), sum(e.anticipo) into sums.autorizado, sums.amortizacion, sums.anticipos
      from estimates e where e.company_id = new.company_id and e.contract_id = new.contract_id and e.neto is not null;
    end if;
    if coalesce(sums.autorizado, 0.00) + new.monto > contract.monto + coalesce(sums.extra, 0.00)
      and not is_rounding(new.company_id, new.contract_id, new.id)
    then
      raise exception 'more would be authorized than the contract is for'
        using errcode = 'check_violation', constraint = 'estimates_within_contract';
    end if;
    agreed := contract.monto - coalesce(sums.convenios_sin_anticipo, 0.00);
    if new.tipo = 'anticipo'
      and coalesce(sums.anticipos, 0.00) + new.anticipo > round(agreed * contract.anticipo_porcentaje * 0.01, 2)
    then
      raise exception 'contract % would have a larger advance than agreed', new.contract_id
        using errcode = 'check_violation', constraint = 'estimates_within_advance';
    end if;
    select d.* into new.amortizacion, new.retencion, new.cargos_antes_iva, new.subtotal, new.iva, new.derechos, new.cargos_despues_iva,
      new.neto
    from derived_amounts(
      new.company_id, new.id, advance_left(agreed, contract.anticipo_porcentaje, sums.anticipos, sums.amortizacion, sums.liquidado),
      new.tipo, new.monto, new.anticipo, new.sin_anticipo, new.deductivas, new.anticipo_porcentaje, new.retencion_porcentaje,
      new.iva_porcentaje, new.derechos_porcentaje, new.retencion_antes_iva, new.cargos_fijos_antes, new.cargos_fijos_despues,
      new.porcentajes) d;
    if new.tipo <> 'finiquito' and (new.subtotal < 0 or new.neto < 0) then
      raise exception 'an estimate would be authorized for less than nothing'
        using errcode = 'check_violation', constraint = 'estimates_subtotal';
    end if;
  else
    new.amortizacion := null; new.retencion := null; new.cargos_antes_iva := null; new.subtotal := null; new.iva := null;
    new.derechos := null; new.cargos_despues_iva := null; new.neto := null;
  end if;
  return new;
end
$$;
