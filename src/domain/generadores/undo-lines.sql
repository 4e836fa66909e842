create or replace function undo_lines() returns trigger
language plpgsql security definer
set search_path = pg_catalog, public, pg_temp set enable_seqscan = off set enable_bitmapscan = off
set enable_sort = off set jit = off as $$
begin
  if new.lineas = 0 then
    return new;
  end if;
  update concepto_sums s set cantidad = s.cantidad - l.cantidad, importe = s.importe - l.importe
  from (
    select l.*, s.place from (
      select l.concepto_id, l.cantidad, l.importe from estimate_lines l
      where l.company_id = new.company_id and l.estimate_id = by_index(new.id)) l
    cross join lateral (
      select s.ctid as place from concepto_sums s
      where s.company_id = new.company_id and s.concepto_id = by_index(l.concepto_id)
      limit 1) s offset 0) l
  where s.ctid = l.place;
  update estimate_lines l set anterior = null, importe_anterior = null, vigente = null, excedente = null
  from (
    select l.ctid as place from estimate_lines l
    where l.company_id = new.company_id and l.estimate_id = by_index(new.id)) o
  where l.ctid = o.place;
  update contract_sums s set con_lineas = s.con_lineas - 1, monto_lineas = s.monto_lineas - old.monto
  where s.company_id = new.company_id and s.contract_id = new.contract_id;
  return new;
end
$$;
revoke execute on function undo_lines() from public;
