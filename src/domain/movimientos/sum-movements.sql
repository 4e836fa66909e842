create or replace function sum_movements() returns trigger
language plpgsql
set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off set jit = off as $$
begin
  if tg_op = 'INSERT' then
    perform lock_companies(array(select distinct company_id from new_rows));
    if current_setting('app.callers', true) <> '' then
      perform note_causes('estimates', 'movimientos', array_agg(w.estimate_id), array_agg(w.id)) from (select 1 as n, company_id, id, estimate_id, sentido, antes_iva, importe, porcentaje from new_rows) w;
    end if;
    update estimates e set cargos_fijos_antes = e.cargos_fijos_antes + d.antes,
      cargos_fijos_despues = e.cargos_fijos_despues + d.despues, porcentajes = e.porcentajes + d.porcentajes
    from (
      select company_id, estimate_id,
        coalesce(sum(n * case sentido when 'cargo' then importe else -importe end)
          filter (where porcentaje is null and antes_iva), 0.00) as antes,
        coalesce(sum(n * case sentido when 'cargo' then importe else -importe end)
          filter (where porcentaje is null and not antes_iva), 0.00) as despues,
        coalesce(sum(n) filter (where porcentaje is not null), 0)::int as porcentajes
      from (select 1 as n, company_id, id, estimate_id, sentido, antes_iva, importe, porcentaje from new_rows) w group by 1, 2) d
    where e.company_id = d.company_id and e.id = d.estimate_id;
    if exists (
      select from (
        select distinct n.company_id, n.contract_id, n.estimate_id, n.tipo, n.antes_iva from new_rows n
        where n.sentido = 'abono' ) n
      where returned_in(n.company_id, n.estimate_id, n.tipo, n.antes_iva, null)
        > returnable(n.company_id, n.contract_id, n.tipo, n.antes_iva))
    then
      raise exception 'more would be returned than was taken' using errcode = 'check_violation', constraint = 'movimientos_returns';
    end if;
  elsif tg_op = 'DELETE' then
    perform lock_companies(array(select distinct company_id from old_rows));
    if current_setting('app.callers', true) <> '' then
      perform note_causes('estimates', 'movimientos', array_agg(w.estimate_id), array_agg(w.id)) from (select -1 as n, company_id, id, estimate_id, sentido, antes_iva, importe, porcentaje from old_rows) w;
    end if;
    update estimates e set cargos_fijos_antes = e.cargos_fijos_antes + d.antes,
      cargos_fijos_despues = e.cargos_fijos_despues + d.despues, porcentajes = e.porcentajes + d.porcentajes
    from (
      select company_id, estimate_id,
        coalesce(sum(n * case sentido when 'cargo' then importe else -importe end)
          filter (where porcentaje is null and antes_iva), 0.00) as antes,
        coalesce(sum(n * case sentido when 'cargo' then importe else -importe end)
          filter (where porcentaje is null and not antes_iva), 0.00) as despues,
        coalesce(sum(n) filter (where porcentaje is not null), 0)::int as porcentajes
      from (select -1 as n, company_id, id, estimate_id, sentido, antes_iva, importe, porcentaje from old_rows) w group by 1, 2) d
    where e.company_id = d.company_id and e.id = d.estimate_id;
  -- An authorization stores amounts of percentages, which the estimate already has.
  elsif pg_trigger_depth() = 1 then
    perform lock_companies(array(select distinct company_id from new_rows));
    if current_setting('app.callers', true) <> '' then
      perform note_causes('estimates', 'movimientos', array_agg(w.estimate_id), array_agg(w.id)) from (select 1 as n, company_id, id, estimate_id, sentido, antes_iva, importe, porcentaje from new_rows union all select -1 as n, company_id, id, estimate_id, sentido, antes_iva, importe, porcentaje from old_rows) w;
    end if;
    update estimates e set cargos_fijos_antes = e.cargos_fijos_antes + d.antes,
      cargos_fijos_despues = e.cargos_fijos_despues + d.despues, porcentajes = e.porcentajes + d.porcentajes
    from (
      select company_id, estimate_id,
        coalesce(sum(n * case sentido when 'cargo' then importe else -importe end)
          filter (where porcentaje is null and antes_iva), 0.00) as antes,
        coalesce(sum(n * case sentido when 'cargo' then importe else -importe end)
          filter (where porcentaje is null and not antes_iva), 0.00) as despues,
        coalesce(sum(n) filter (where porcentaje is not null), 0)::int as porcentajes
      from (select 1 as n, company_id, id, estimate_id, sentido, antes_iva, importe, porcentaje from new_rows union all select -1 as n, company_id, id, estimate_id, sentido, antes_iva, importe, porcentaje from old_rows) w group by 1, 2) d
    where e.company_id = d.company_id and e.id = d.estimate_id;
    if exists (
      select from (
        select distinct n.company_id, n.contract_id, n.estimate_id, n.tipo, n.antes_iva from new_rows n
        where n.sentido = 'abono' 
          and not exists (
            select from old_rows o where o.id = n.id
              and (o.sentido, o.tipo, o.antes_iva, o.importe, o.porcentaje, o.base)
                is not distinct from (n.sentido, n.tipo, n.antes_iva, n.importe, n.porcentaje, n.base))) n
      where returned_in(n.company_id, n.estimate_id, n.tipo, n.antes_iva, null)
        > returnable(n.company_id, n.contract_id, n.tipo, n.antes_iva))
    then
      raise exception 'more would be returned than was taken' using errcode = 'check_violation', constraint = 'movimientos_returns';
    end if;
  end if;
  return null;
exception when numeric_value_out_of_range then
  raise exception 'the sum of movements would be too large'
    using errcode = 'check_violation', table = tg_table_name, constraint = 'movimientos_importe_sum';
end
$$;
