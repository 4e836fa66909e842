-- The last authorization of a contract is undone first. The sums change before the row is written, as at the authorization, so that the
-- next row of the same statement sees them.
create function undo_authorization() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  if exists (
    select from estimates e
    where e.company_id = new.company_id and e.contract_id = new.contract_id and e.neto is not null and e.autorizacion > old.autorizacion)
  then
    raise exception 'another estimate of the contract was authorized after estimate %', old.id
      using errcode = 'check_violation', constraint = 'estimates_last_authorized';
  end if;
  new.amortizacion := null; new.retencion := null; new.subtotal := null; new.iva := null; new.neto := null;
  new.autorizacion := null;
  update contract_sums s set autorizado = s.autorizado - old.monto, amortizacion = s.amortizacion - old.amortizacion
  where s.company_id = old.company_id and s.contract_id = old.contract_id;
  return new;
end $$;
revoke execute on function undo_authorization() from public;
create trigger undo_authorization before update on estimates
  for each row when (old.estado = 'autorizada' and new.estado = 'enviada') execute function undo_authorization();

-- A contract with something authorized cannot be cancelled.
create function keep_authorization() returns trigger language plpgsql as $$
begin
  perform lock_companies(array[new.company_id]);
  if exists (
    select from estimates e where e.company_id = new.company_id and e.contract_id = new.id and e.neto is not null)
  then
    raise exception 'contract % has authorized estimates', new.id
      using errcode = 'check_violation', constraint = 'contracts_without_authorization';
  end if;
  return new;
end $$;
create trigger keep_authorization before update of estado on contracts
  for each row when (new.estado = 'cancelado' and old.estado <> 'cancelado') execute function keep_authorization();
