-- A new price changes the lines of all estimates that are not authorized.
create function reprice_lines() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
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
end $$;
revoke execute on function reprice_lines() from public;
create trigger reprice_lines after update on conceptos referencing new table as new_rows
  for each statement execute function reprice_lines();

-- A change order in `borrador` can get an advance, or lose it. Estimates that are not authorized follow.
create function change_advance() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  perform lock_companies(array[new.company_id]);
  if current_setting('app.callers', true) <> '' then
    perform note_caller('estimates', l.estimate_id, caller_of('convenios', new.id)) from (
      select distinct l.estimate_id
      from conceptos k join estimate_lines l on l.company_id = k.company_id and l.concepto_id = k.id
      where k.company_id = new.company_id and k.convenio_id = new.id and l.anterior is null) l;
  end if;
  with written as (
    update estimate_lines l set con_anticipo = new.con_anticipo from conceptos k
    where k.company_id = new.company_id and k.convenio_id = new.id
      and l.company_id = k.company_id and l.concepto_id = k.id and l.anterior is null
    returning l.estimate_id, l.importe),
  by_estimate as (select w.estimate_id, sum(w.importe) as importe from written w group by 1)
  update estimates e set sin_anticipo = e.sin_anticipo + case when new.con_anticipo then -b.importe else b.importe end
  from by_estimate b where e.company_id = new.company_id and e.id = b.estimate_id;
  return null;
end $$;
revoke execute on function change_advance() from public;
create trigger change_advance after update of con_anticipo on convenios
  for each row when (new.con_anticipo <> old.con_anticipo) execute function change_advance();
