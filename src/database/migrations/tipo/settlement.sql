-- Whether a finiquito of the contract is authorized.
create function is_settled(of_company int, of_contract bigint) returns boolean language plpgsql stable as $$
begin
  return coalesce((
    select s.liquidado from contract_sums s where s.company_id = of_company and s.contract_id = of_contract), false);
end $$;

-- Whether an estimate besides this one waits for its authorization, or a change order for its signature.
create function has_pending(of_company int, of_contract bigint, of_estimate bigint) returns boolean language plpgsql stable as $$
begin
  return exists (
      select from estimates e
      where e.company_id = of_company and e.contract_id = of_contract and e.id <> of_estimate and e.estado in ('borrador', 'enviada'))
    or exists (
      select from convenios v where v.company_id = of_company and v.contract_id = of_contract and v.estado = 'autorizado');
end $$;

-- Estimates of a cancelled contract can only be rejected or cancelled. A settled contract has no estimate that waits, but finiquitos.
create or replace function keep_closed() returns trigger language plpgsql as $$
declare closed text;
begin
  perform lock_companies(array[new.company_id]);
  select c.estado into closed from contracts c
  where c.company_id = new.company_id and c.id = new.contract_id and c.estado in ('terminado', 'cancelado');
  if closed = 'cancelado' and new.estado not in ('rechazada', 'cancelada') then
    raise exception 'contract % is cancelled', new.contract_id
      using errcode = 'check_violation', constraint = 'estimates_contract_not_cancelled';
  elsif closed = 'terminado' and new.tipo <> 'finiquito' and is_settled(new.company_id, new.contract_id)
    and (new.estado in ('borrador', 'enviada') or (new.estado in ('autorizada', 'pagada') and old.neto is null))
  then
    raise exception 'contract % is settled', new.contract_id
      using errcode = 'check_violation', constraint = 'estimates_contract_not_settled';
  end if;
  return new;
end $$;
-- keep_estimate refuses new estimates of a closed contract.
drop trigger keep_closed_insert on estimates;

-- The authorization of a finiquito ends the contract.
create function settle_contract() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  if current_setting('app.callers', true) <> '' then
    perform note_caller('contracts', new.contract_id, caller_of('estimates', new.id)) from contracts c
    where c.company_id = new.company_id and c.id = new.contract_id and c.estado <> 'terminado';
  end if;
  update contracts c set estado = 'terminado'
  where c.company_id = new.company_id and c.id = new.contract_id and c.estado <> 'terminado';
  return null;
end $$;
revoke execute on function settle_contract() from public;
create trigger settle_contract after update on estimates
  for each row when (old.neto is null and new.neto is not null and new.tipo = 'finiquito') execute function settle_contract();

create function keep_settled() returns trigger language plpgsql as $$
begin
  perform lock_companies(array[new.company_id]);
  if is_settled(new.company_id, new.id) then
    raise exception 'contract % is settled', new.id using errcode = 'check_violation', constraint = 'contracts_not_settled';
  end if;
  return new;
end $$;
create trigger keep_settled before update of estado on contracts
  for each row when (old.estado = 'terminado' and new.estado <> 'terminado') execute function keep_settled();

create or replace function keep_convenio() returns trigger language plpgsql as $$
declare cancelled boolean;
begin
  if tg_op = 'UPDATE' and old.estado <> 'borrador'
    and (new.monto, new.dias, new.con_anticipo) <> (old.monto, old.dias, old.con_anticipo)
  then
    raise exception 'the amounts of change order % are agreed', new.id
      using errcode = 'check_violation', constraint = 'convenios_fixed';
  elsif tg_op = 'UPDATE' and new.estado = old.estado then
    return new;
  elsif tg_op = 'UPDATE' and old.estado = 'firmado' then
    raise exception 'change order % is signed', new.id using errcode = 'check_violation', constraint = 'convenios_final';
  end if;
  perform lock_companies(array[new.company_id]);
  cancelled := exists (
    select from contracts c where c.company_id = new.company_id and c.id = new.contract_id and c.estado = 'cancelado');
  if cancelled and tg_op = 'INSERT' then
    raise exception 'contract % is cancelled', new.contract_id
      using errcode = 'check_violation', constraint = 'convenios_contract_open';
  elsif cancelled and new.estado not in ('rechazado', 'cancelado') then
    raise exception 'contract % is cancelled', new.contract_id
      using errcode = 'check_violation', constraint = 'convenios_contract_not_cancelled';
  elsif tg_op = 'INSERT' and is_settled(new.company_id, new.contract_id) then
    raise exception 'contract % is settled', new.contract_id
      using errcode = 'check_violation', constraint = 'convenios_contract_unsettled';
  elsif new.estado not in ('rechazado', 'cancelado') and is_settled(new.company_id, new.contract_id) then
    raise exception 'contract % is settled', new.contract_id
      using errcode = 'check_violation', constraint = 'convenios_contract_not_settled';
  end if;
  -- The day of an order that no longer holds. Another day is that of the next one.
  if tg_op = 'UPDATE' and old.estado = 'autorizado' and new.estado = 'borrador'
    and new.fecha_autorizacion = old.fecha_autorizacion
  then
    new.fecha_autorizacion := null;
  end if;
  return new;
end $$;

create function keep_catalogue_unsettled() returns trigger language plpgsql as $$
declare settled bigint;
begin
  perform lock_companies(array(select distinct company_id from new_rows));
  select n.contract_id into settled from (select distinct company_id, contract_id from new_rows) n
  where is_settled(n.company_id, n.contract_id) limit 1;
  if settled is not null then
    raise exception 'contract % is settled', settled using errcode = 'check_violation', constraint = 'conceptos_contract_unsettled';
  end if;
  return null;
end $$;
create trigger keep_catalogue_unsettled after insert on conceptos referencing new table as new_rows
  for each statement execute function keep_catalogue_unsettled();
