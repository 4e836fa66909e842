-- Amounts that are agreed stay, a signed change order keeps its state, and a cancelled contract takes none.
create or replace function keep_convenio() returns trigger
language plpgsql
set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off set jit = off as $$
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
end
$$;
