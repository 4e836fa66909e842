create or replace function pay_rest() returns trigger
language plpgsql
set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off set jit = off as $$
declare ids bigint[]; companies int[]; estimates bigint[]; contracts bigint[]; amounts numeric[];
begin
  if tg_op = 'INSERT' then
    select array_agg(n.id), array_agg(n.company_id), array_agg(n.contract_id), array_agg(n.pagado)
    into estimates, companies, contracts, amounts
    from new_rows n where n.estado = 'pagada' and n.pagado <> 0;
  else
    select array_agg(n.id), array_agg(n.company_id), array_agg(n.contract_id), array_agg(n.pagado - p.importe)
    into estimates, companies, contracts, amounts
    from new_rows n
    cross join lateral (
      select coalesce(sum(p.importe), 0) as importe from pagos p
      where p.company_id = n.company_id and p.estimate_id = n.id) p
    where n.estado = 'pagada' and n.pagado <> p.importe;
  end if;
  if estimates is null then
    return null;
  end if;
  ids := array(select nextval('pagos_id_seq') from unnest(estimates));
  if current_setting('app.callers', true) <> '' then
    perform note_causes('pagos', 'estimates', ids, estimates);
  end if;
  insert into pagos (id, company_id, estimate_id, contract_id, importe)
  select * from unnest(ids, companies, estimates, contracts, amounts);
  return null;
end
$$;
