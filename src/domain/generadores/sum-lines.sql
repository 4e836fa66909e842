create or replace function sum_lines() returns trigger
language plpgsql security definer
set search_path = pg_catalog, public, pg_temp set enable_seqscan = off set enable_bitmapscan = off
set enable_sort = off set jit = off as $$
begin
  if tg_op = 'INSERT' then
    perform lock_companies(array(select distinct company_id from new_rows));
    if exists (
      select from new_rows n cross join lateral (
        select c.cantidad from conceptos c
        where c.company_id = n.company_id and c.id = by_index(n.concepto_id) limit 1) c
      where c.cantidad < 0)
    then
      raise exception 'a reduction is not estimated' using errcode = 'check_violation', constraint = 'generadores_reduction';
    end if;
    if current_setting('app.callers', true) <> '' then
      perform note_causes('estimates', 'generadores', array_agg(w.estimate_id), array_agg(w.id)) from (select company_id, id, estimate_id, concepto_id, 1 as n, cantidad from new_rows) w;
    end if;
    with delta as materialized (
      select company_id, estimate_id, concepto_id, sum(n)::int as n, sum(cantidad) as cantidad
      from (select company_id, id, estimate_id, concepto_id, 1 as n, cantidad from new_rows) w group by 1, 2, 3),
    former as materialized (
      select d.*, coalesce(l.generadores, 0) as generadores, coalesce(l.importe, 0.00) as importe
      from delta d left join lateral (
        select l.generadores, l.importe from estimate_lines l
        where l.company_id = d.company_id and l.estimate_id = d.estimate_id and l.concepto_id = d.concepto_id offset 0) l on true),
    written as (
      insert into estimate_lines as l (
        company_id, estimate_id, concepto_id, numero, generadores, cantidad, precio_unitario, con_anticipo)
      select d.company_id, d.estimate_id, d.concepto_id, e.numero, d.n, d.cantidad, c.precio_unitario,
        coalesce(v.con_anticipo, true)
      from delta d
      cross join lateral (
        select e.numero from estimates e
        where e.company_id = d.company_id and e.id = by_index(d.estimate_id) limit 1) e
      cross join lateral (
        select c.precio_unitario, c.convenio_id from conceptos c
        where c.company_id = d.company_id and c.id = by_index(d.concepto_id) limit 1) c
      left join lateral (
        select v.con_anticipo from convenios v
        where v.company_id = d.company_id and v.id = by_index(c.convenio_id) limit 1) v on true
      on conflict (company_id, estimate_id, concepto_id) do update
      set generadores = l.generadores + excluded.generadores, cantidad = l.cantidad + excluded.cantidad
      returning company_id, estimate_id, concepto_id, generadores, importe, con_anticipo),
    by_estimate as (
      select f.company_id, f.estimate_id, sum(w.importe - f.importe) as monto,
        coalesce(sum(w.importe - f.importe) filter (where not w.con_anticipo), 0.00) as sin_anticipo,
        count(*) filter (where w.generadores > 0 and f.generadores = 0)
          - count(*) filter (where w.generadores = 0 and f.generadores > 0) as lineas
      from former f join written w using (company_id, estimate_id, concepto_id) group by 1, 2)
    update estimates e set
      monto = case e.lineas when 0 then 0 else e.monto end + b.monto, lineas = e.lineas + b.lineas,
      sin_anticipo = e.sin_anticipo + b.sin_anticipo
    from by_estimate b where e.company_id = b.company_id and e.id = b.estimate_id;
  elsif tg_op = 'UPDATE' then
    perform lock_companies(array(select distinct company_id from new_rows));
    if exists (
      select from new_rows n cross join lateral (
        select c.cantidad from conceptos c
        where c.company_id = n.company_id and c.id = by_index(n.concepto_id) limit 1) c
      where c.cantidad < 0)
    then
      raise exception 'a reduction is not estimated' using errcode = 'check_violation', constraint = 'generadores_reduction';
    end if;
    if current_setting('app.callers', true) <> '' then
      perform note_causes('estimates', 'generadores', array_agg(w.estimate_id), array_agg(w.id)) from (select company_id, id, estimate_id, concepto_id, 1 as n, cantidad from new_rows union all select company_id, id, estimate_id, concepto_id, -1 as n, -cantidad as cantidad from old_rows) w;
    end if;
    with delta as materialized (
      select company_id, estimate_id, concepto_id, sum(n)::int as n, sum(cantidad) as cantidad
      from (select company_id, id, estimate_id, concepto_id, 1 as n, cantidad from new_rows union all select company_id, id, estimate_id, concepto_id, -1 as n, -cantidad as cantidad from old_rows) w group by 1, 2, 3),
    former as materialized (
      select d.*, coalesce(l.generadores, 0) as generadores, coalesce(l.importe, 0.00) as importe
      from delta d left join lateral (
        select l.generadores, l.importe from estimate_lines l
        where l.company_id = d.company_id and l.estimate_id = d.estimate_id and l.concepto_id = d.concepto_id offset 0) l on true),
    written as (
      insert into estimate_lines as l (
        company_id, estimate_id, concepto_id, numero, generadores, cantidad, precio_unitario, con_anticipo)
      select d.company_id, d.estimate_id, d.concepto_id, e.numero, d.n, d.cantidad, c.precio_unitario,
        coalesce(v.con_anticipo, true)
      from delta d
      cross join lateral (
        select e.numero from estimates e
        where e.company_id = d.company_id and e.id = by_index(d.estimate_id) limit 1) e
      cross join lateral (
        select c.precio_unitario, c.convenio_id from conceptos c
        where c.company_id = d.company_id and c.id = by_index(d.concepto_id) limit 1) c
      left join lateral (
        select v.con_anticipo from convenios v
        where v.company_id = d.company_id and v.id = by_index(c.convenio_id) limit 1) v on true
      on conflict (company_id, estimate_id, concepto_id) do update
      set generadores = l.generadores + excluded.generadores, cantidad = l.cantidad + excluded.cantidad
      returning company_id, estimate_id, concepto_id, generadores, importe, con_anticipo),
    by_estimate as (
      select f.company_id, f.estimate_id, sum(w.importe - f.importe) as monto,
        coalesce(sum(w.importe - f.importe) filter (where not w.con_anticipo), 0.00) as sin_anticipo,
        count(*) filter (where w.generadores > 0 and f.generadores = 0)
          - count(*) filter (where w.generadores = 0 and f.generadores > 0) as lineas
      from former f join written w using (company_id, estimate_id, concepto_id) group by 1, 2)
    update estimates e set
      monto = case e.lineas when 0 then 0 else e.monto end + b.monto, lineas = e.lineas + b.lineas,
      sin_anticipo = e.sin_anticipo + b.sin_anticipo
    from by_estimate b where e.company_id = b.company_id and e.id = b.estimate_id;
  else
    perform lock_companies(array(select distinct company_id from old_rows));
    if current_setting('app.callers', true) <> '' then
      perform note_causes('estimates', 'generadores', array_agg(w.estimate_id), array_agg(w.id)) from (select company_id, id, estimate_id, concepto_id, -1 as n, -cantidad as cantidad from old_rows) w;
    end if;
    with delta as materialized (
      select company_id, estimate_id, concepto_id, sum(n)::int as n, sum(cantidad) as cantidad
      from (select company_id, id, estimate_id, concepto_id, -1 as n, -cantidad as cantidad from old_rows) w group by 1, 2, 3),
    former as materialized (
      select d.*, coalesce(l.generadores, 0) as generadores, coalesce(l.importe, 0.00) as importe
      from delta d left join lateral (
        select l.generadores, l.importe from estimate_lines l
        where l.company_id = d.company_id and l.estimate_id = d.estimate_id and l.concepto_id = d.concepto_id offset 0) l on true),
    written as (
      insert into estimate_lines as l (
        company_id, estimate_id, concepto_id, numero, generadores, cantidad, precio_unitario, con_anticipo)
      select d.company_id, d.estimate_id, d.concepto_id, e.numero, d.n, d.cantidad, c.precio_unitario,
        coalesce(v.con_anticipo, true)
      from delta d
      cross join lateral (
        select e.numero from estimates e
        where e.company_id = d.company_id and e.id = by_index(d.estimate_id) limit 1) e
      cross join lateral (
        select c.precio_unitario, c.convenio_id from conceptos c
        where c.company_id = d.company_id and c.id = by_index(d.concepto_id) limit 1) c
      left join lateral (
        select v.con_anticipo from convenios v
        where v.company_id = d.company_id and v.id = by_index(c.convenio_id) limit 1) v on true
      on conflict (company_id, estimate_id, concepto_id) do update
      set generadores = l.generadores + excluded.generadores, cantidad = l.cantidad + excluded.cantidad
      returning company_id, estimate_id, concepto_id, generadores, importe, con_anticipo),
    by_estimate as (
      select f.company_id, f.estimate_id, sum(w.importe - f.importe) as monto,
        coalesce(sum(w.importe - f.importe) filter (where not w.con_anticipo), 0.00) as sin_anticipo,
        count(*) filter (where w.generadores > 0 and f.generadores = 0)
          - count(*) filter (where w.generadores = 0 and f.generadores > 0) as lineas
      from former f join written w using (company_id, estimate_id, concepto_id) group by 1, 2)
    update estimates e set
      monto = case e.lineas when 0 then 0 else e.monto end + b.monto, lineas = e.lineas + b.lineas,
      sin_anticipo = e.sin_anticipo + b.sin_anticipo
    from by_estimate b where e.company_id = b.company_id and e.id = b.estimate_id;
    delete from estimate_lines l using (select distinct company_id, estimate_id, concepto_id from old_rows) o
    where l.company_id = o.company_id and l.estimate_id = o.estimate_id and l.concepto_id = o.concepto_id and l.generadores = 0;
  end if;
  return null;
exception when numeric_value_out_of_range then
  raise exception 'the sum of generadores would be too large'
    using errcode = 'check_violation', table = tg_table_name, constraint = 'generadores_cantidad_sum';
end
$$;
revoke execute on function sum_lines() from public;
