-- Amounts that are agreed stay, a signed change order keeps its state, and a cancelled contract takes none.
create function keep_convenio() returns trigger language plpgsql as $$
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
  end if;
  -- The day of an order that no longer holds. Another day is that of the next one.
  if tg_op = 'UPDATE' and old.estado = 'autorizado' and new.estado = 'borrador'
    and new.fecha_autorizacion = old.fecha_autorizacion
  then
    new.fecha_autorizacion := null;
  end if;
  return new;
end $$;
create trigger keep_convenio before insert or update on convenios
  for each row execute function keep_convenio();

-- Runs after the statement, so that one statement can delete the last several change orders.
create function keep_convenio_numbers() returns trigger language plpgsql as $$
begin
  perform lock_companies(array[old.company_id]);
  if old.estado <> 'borrador' or old.numero < (
    select v.numero from convenios v
    where v.company_id = old.company_id and v.contract_id = old.contract_id order by v.numero desc limit 1)
  then
    raise exception 'only the last change order of a contract can go, and only as a draft'
      using errcode = 'check_violation', constraint = 'convenios_numbers';
  end if;
  return null;
end $$;
create trigger keep_convenio_numbers after delete on convenios
  for each row execute function keep_convenio_numbers();

create trigger derive_monto_insert before insert on convenios
  for each row when (new.monto_rows <> 0) execute function refuse_derived('monto');
create trigger derive_monto_update before update on convenios
  for each row when (pg_trigger_depth() = 0 and (new.monto_rows <> old.monto_rows or (old.monto_rows > 0 and new.monto <> old.monto)))
  execute function refuse_derived('monto');

-- Argument: the column.
create function keep_agreed() returns trigger language plpgsql as $$
begin
  perform lock_companies(array[new.company_id]);
  if exists (
    select from contract_sums s where s.company_id = new.company_id and s.contract_id = new.id and s.firmados > 0)
  then
    raise exception 'change orders have set % of contract %', tg_argv[0], new.id
      using errcode = 'check_violation', constraint = 'contracts_' || tg_argv[0] || '_agreed';
  end if;
  return new;
end $$;
create trigger keep_agreed_monto before update of monto on contracts
  for each row when (pg_trigger_depth() = 0 and new.monto <> old.monto) execute function keep_agreed('monto');
-- A contract without an end can get one after the first signature: `dias` needs one.
create trigger keep_agreed_fecha_fin before update of fecha_fin on contracts
  for each row when (pg_trigger_depth() = 0 and old.fecha_fin is not null and new.fecha_fin is distinct from old.fecha_fin)
  execute function keep_agreed('fecha_fin');
