-- Before the row is written, so that the next row of the same statement sees the sum. An authorized estimate stays authorized.
create or replace function keep_estimate_authorized() returns trigger
language plpgsql security definer
set search_path = pg_catalog, public, pg_temp set enable_seqscan = off set enable_bitmapscan = off
set enable_sort = off set jit = off as $$
begin
  insert into contract_sums as s (company_id, contract_id, vivas, monto, autorizado, amortizacion, anticipos, liquidado)
  values (new.company_id, new.contract_id, 0, 0.00, new.monto, new.amortizacion, new.anticipo, new.tipo = 'finiquito')
  on conflict (company_id, contract_id) do update set autorizado = s.autorizado + excluded.autorizado,
    amortizacion = s.amortizacion + excluded.amortizacion, anticipos = s.anticipos + excluded.anticipos,
    liquidado = s.liquidado or excluded.liquidado;
  return new;
end
$$;
revoke execute on function keep_estimate_authorized() from public;
