-- An authorization stores what its lines add to.
create or replace function keep_lines_authorized() returns trigger
language plpgsql security definer
set search_path = pg_catalog, public, pg_temp set enable_seqscan = off set enable_bitmapscan = off
set enable_sort = off set jit = off as $$
begin
  if new.lineas = 0 then
    return new;
  end if;
  update estimate_lines l set
    anterior = t.anterior, importe_anterior = t.importe_anterior, vigente = t.vigente, excedente = t.excedente
  from (
    select o.place, t.* from (
      select l.ctid as place, l.concepto_id from estimate_lines l
      where l.company_id = new.company_id and l.estimate_id = by_index(new.id)) o
    cross join lateral line_totals(new.company_id, new.contract_id, o.concepto_id, new.id, new.numero) t offset 0) t
  where l.ctid = t.place;
  insert into concepto_sums as s (company_id, concepto_id, cantidad, importe)
  select l.* from (
    select l.company_id, l.concepto_id, l.cantidad, l.importe from estimate_lines l
    where l.company_id = new.company_id and l.estimate_id = by_index(new.id)) l
  on conflict (company_id, concepto_id) do update
  set cantidad = s.cantidad + excluded.cantidad, importe = s.importe + excluded.importe;
  update contract_sums s set con_lineas = s.con_lineas + 1, monto_lineas = s.monto_lineas + new.monto
  where s.company_id = new.company_id and s.contract_id = new.contract_id;
  return new;
end
$$;
revoke execute on function keep_lines_authorized() from public;
