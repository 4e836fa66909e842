-- The last authorization of a contract is undone first. The sums change before the row is written, as at the authorization, so that the
-- next row of the same statement sees them.
create or replace function undo_authorization() returns trigger
language plpgsql security definer
set search_path = pg_catalog, public, pg_temp set enable_seqscan = off set enable_bitmapscan = off
set enable_sort = off set jit = off as $$
begin
  if old.tipo = 'finiquito' then
    raise exception 'finiquito % has settled its contract', old.id
      using errcode = 'check_violation', constraint = 'estimates_finiquito_final';
  end if;
  if exists (
    select from estimates e
    where e.company_id = new.company_id and e.contract_id = new.contract_id and e.neto is not null and e.autorizacion > old.autorizacion)
  then
    raise exception 'another estimate of the contract was authorized after estimate %', old.id
      using errcode = 'check_violation', constraint = 'estimates_last_authorized';
  end if;
  new.amortizacion := null; new.retencion := null; new.subtotal := null; new.iva := null; new.neto := null;
  new.autorizacion := null;
  update contract_sums s set autorizado = s.autorizado - old.monto, amortizacion = s.amortizacion - old.amortizacion,
    anticipos = s.anticipos - old.anticipo
  where s.company_id = old.company_id and s.contract_id = old.contract_id;
  return new;
end
$$;
revoke execute on function undo_authorization() from public;
