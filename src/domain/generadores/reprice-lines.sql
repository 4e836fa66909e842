-- A new price changes the lines of all estimates that are not authorized.
create or replace function reprice_lines() returns trigger
language plpgsql security definer
set search_path = pg_catalog, public, pg_temp set enable_seqscan = off set enable_bitmapscan = off
set enable_sort = off set jit = off as $$
begin
  perform lock_companies(array(select distinct company_id from new_rows));
  if current_setting('app.callers', true) <> '' then
    perform note_causes('estimates', 'conceptos', array_agg(l.estimate_id), array_agg(l.cause)) from (
      select n.precio_unitario as price, n.id as cause, l.* from new_rows n cross join lateral (
        select l.ctid as place, l.company_id, l.estimate_id, l.importe from estimate_lines l
        where l.company_id = n.company_id and l.concepto_id = n.id and l.anterior is null
          and l.precio_unitario <> n.precio_unitario offset 0) l) l;
  end if;
  with former as materialized (
    select l.* from (
      select n.precio_unitario as price, n.id as cause, l.* from new_rows n cross join lateral (
        select l.ctid as place, l.company_id, l.estimate_id, l.importe from estimate_lines l
        where l.company_id = n.company_id and l.concepto_id = n.id and l.anterior is null
          and l.precio_unitario <> n.precio_unitario offset 0) l) l),
  written as (
    update estimate_lines l set precio_unitario = f.price from former f where l.ctid = f.place
    returning l.company_id, l.estimate_id, l.importe - f.importe as monto, l.con_anticipo),
  by_estimate as (
    select company_id, estimate_id, sum(monto) as monto,
      coalesce(sum(monto) filter (where not con_anticipo), 0.00) as sin_anticipo, 0 as lineas
    from written group by 1, 2 having sum(monto) <> 0)
  update estimates e set
    monto = case e.lineas when 0 then 0 else e.monto end + b.monto, lineas = e.lineas + b.lineas,
    sin_anticipo = e.sin_anticipo + b.sin_anticipo
  from by_estimate b where e.company_id = b.company_id and e.id = b.estimate_id;
  return null;
exception when numeric_value_out_of_range then
  raise exception 'the amount of an estimate would be too large'
    using errcode = 'check_violation', table = tg_table_name, constraint = tg_table_name || '_precio_unitario_sum';
end
$$;
revoke execute on function reprice_lines() from public;
