-- A payment changes the sum of its estimate. New payments of a trigger are those of pay_rest, whose estimate already has them in its sum.
create or replace function settle_estimate() returns trigger
language plpgsql
set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off set jit = off as $$
begin
  if tg_op = 'INSERT' and pg_trigger_depth() > 1 then
    return null;
  end if;
  if tg_op = 'INSERT' then
    perform lock_companies(array(select distinct company_id from new_rows));
    if current_setting('app.callers', true) <> '' then
      perform note_causes('estimates', 'pagos', array_agg(estimate_id), array_agg(id)) from new_rows;
    end if;
    update estimates e set pagado = e.pagado + d.importe
    from (select company_id, estimate_id, sum(importe) as importe from new_rows group by 1, 2) d
    where e.company_id = d.company_id and e.id = d.estimate_id;
  else
    perform lock_companies(array(select distinct company_id from old_rows));
    if current_setting('app.callers', true) <> '' then
      perform note_causes('estimates', 'pagos', array_agg(estimate_id), array_agg(id)) from old_rows;
    end if;
    update estimates e set pagado = e.pagado - d.importe
    from (select company_id, estimate_id, sum(importe) as importe from old_rows group by 1, 2) d
    where e.company_id = d.company_id and e.id = d.estimate_id;
  end if;
  return null;
end
$$;
