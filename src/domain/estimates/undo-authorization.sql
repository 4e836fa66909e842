-- The sums change before the row is written, as at the authorization, so that the
-- next row of the same statement sees them.
create or replace function undo_authorization() returns trigger
language plpgsql security definer
set search_path = pg_catalog, public, pg_temp set enable_seqscan = off set enable_bitmapscan = off
set enable_sort = off set jit = off as $$
begin
  new.amortizacion := null; new.retencion := null; new.subtotal := null; new.iva := null; new.neto := null;
  new.autorizacion := null;
  update contract_sums s set autorizado = s.autorizado - old.monto, amortizacion = s.amortizacion - old.amortizacion,
    anticipos = s.anticipos - old.anticipo
  where s.company_id = old.company_id and s.contract_id = old.contract_id;
  return new;
end
$$;
revoke execute on function undo_authorization() from public;
