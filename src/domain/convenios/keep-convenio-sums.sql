-- Runs after the row, so that the next row of the same statement sees the sums. Only a reduction lowers what can be authorized.
-- Authorized lines can add up to some cents more than the contract.
create or replace function keep_convenio_sums() returns trigger
language plpgsql security definer
set search_path = pg_catalog, public, pg_temp set enable_seqscan = off set enable_bitmapscan = off
set enable_sort = off set jit = off as $$
declare
  was text := case tg_op when 'UPDATE' then old.estado end;
  agreed int := (new.estado in ('autorizado', 'firmado'))::int - coalesce(was in ('autorizado', 'firmado'), false)::int;
  signed boolean := new.estado = 'firmado';
  freed numeric := case was when 'autorizado' then greatest(old.monto, 0.00) else 0.00 end;
  further numeric := case new.estado when 'autorizado' then greatest(new.monto, 0.00) else 0.00 end;
  sums record;
  contract record;
begin
  perform lock_companies(array[new.company_id]);
  insert into contract_sums as s (
    company_id, contract_id, vivas, monto, autorizado, amortizacion, acordados, firmados,
    convenios, convenios_sin_anticipo, dias, extra)
  values (
    new.company_id, new.contract_id, 0, 0.00, 0.00, 0.00, agreed, signed::int,
    case when signed then new.monto else 0.00 end, case when signed and not new.con_anticipo then new.monto else 0.00 end,
    case when signed then new.dias else 0 end, further - freed)
  on conflict (company_id, contract_id) do update set
    acordados = s.acordados + excluded.acordados, firmados = s.firmados + excluded.firmados,
    convenios = s.convenios + excluded.convenios,
    convenios_sin_anticipo = s.convenios_sin_anticipo + excluded.convenios_sin_anticipo,
    dias = s.dias + excluded.dias, extra = s.extra + excluded.extra
  returning s.autorizado, s.extra into sums;
  select c.monto, c.fecha_inicio, c.fecha_fin into contract
  from contracts c where c.company_id = new.company_id and c.id = new.contract_id;
  if not signed then
    if further < freed and sums.autorizado > contract.monto + sums.extra
      and not is_rounding(new.company_id, new.contract_id, null)
    then
      raise exception 'estimates use the amount of change order %', new.id
        using errcode = 'check_violation', constraint = 'convenios_extra_in_use';
    end if;
    return null;
  end if;
  if new.dias <> 0 and (contract.fecha_fin is null or contract.fecha_fin + new.dias < contract.fecha_inicio
    or contract.fecha_fin + new.dias not between '0001-01-01' and '9999-12-31')
  then
    raise exception 'contract % has no end that can move by % days', new.contract_id, new.dias
      using errcode = 'check_violation', constraint = 'convenios_term';
  end if;
  if contract.monto + new.monto < 0 or (new.monto < 0 and contract.monto + new.monto < sums.autorizado - sums.extra
    and not (new.monto_rows > 0 and is_rounding(new.company_id, new.contract_id, null)))
  then
    raise exception 'contract % would be for less than is authorized', new.contract_id
      using errcode = 'check_violation', constraint = 'convenios_within_contract';
  end if;
  if contract.monto + new.monto >= 1e16 then
    raise exception 'the amount of contract % would be too large', new.contract_id
      using errcode = 'check_violation', constraint = 'convenios_contract_monto';
  end if;
  if current_setting('app.callers', true) <> '' then
    perform note_caller('contracts', new.contract_id, caller_of('convenios', new.id));
  end if;
  update contracts c set monto = c.monto + new.monto, fecha_fin = c.fecha_fin + new.dias
  where c.company_id = new.company_id and c.id = new.contract_id;
  return null;
end
$$;
revoke execute on function keep_convenio_sums() from public;
