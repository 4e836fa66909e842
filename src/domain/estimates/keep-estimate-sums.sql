create or replace function keep_estimate_sums() returns trigger
language plpgsql security definer
set search_path = pg_catalog, public, pg_temp set enable_seqscan = off set enable_bitmapscan = off
set enable_sort = off set jit = off as $$
begin
  if tg_op = 'INSERT' then
    insert into estimate_sums as s (company_id, contract_id, level, block, monto)
    select e.company_id, e.contract_id, l.level, (e.numero - 1) / l.size, sum(e.monto)
    from new_rows e cross join (values (1, 32), (2, 1024), (3, 32768)) l (level, size)
    where e.estado not in ('rechazada', 'cancelada') and e.monto <> 0 group by 1, 2, 3, 4
    on conflict (company_id, contract_id, level, block) do update set monto = s.monto + excluded.monto;
    insert into contract_sums as s (company_id, contract_id, vivas, monto, autorizado, amortizacion, anticipos)
    select e.company_id, e.contract_id, count(*) filter (where e.estado not in ('rechazada', 'cancelada')),
      coalesce(sum(e.monto) filter (where e.estado not in ('rechazada', 'cancelada')), 0.00),
      coalesce(sum(e.monto) filter (where e.neto is not null), 0.00), coalesce(sum(e.amortizacion), 0.00),
      coalesce(sum(e.anticipo) filter (where e.neto is not null), 0.00)
    from new_rows e group by 1, 2
    on conflict (company_id, contract_id) do update set vivas = s.vivas + excluded.vivas, monto = s.monto + excluded.monto,
      autorizado = s.autorizado + excluded.autorizado, amortizacion = s.amortizacion + excluded.amortizacion,
      anticipos = s.anticipos + excluded.anticipos;
  elsif tg_op = 'UPDATE' then
    insert into estimate_sums as s (company_id, contract_id, level, block, monto)
    select e.company_id, e.contract_id, l.level, (e.numero - 1) / l.size, sum(e.monto)
    from (
      select company_id, contract_id, numero, monto from new_rows where estado not in ('rechazada', 'cancelada')
      union all select company_id, contract_id, numero, -monto from old_rows where estado not in ('rechazada', 'cancelada')) e
    cross join (values (1, 32), (2, 1024), (3, 32768)) l (level, size)
    group by 1, 2, 3, 4 having sum(e.monto) <> 0
    on conflict (company_id, contract_id, level, block) do update set monto = s.monto + excluded.monto;
    -- keep_estimate_authorized has added what was authorized.
    insert into contract_sums as s (company_id, contract_id, vivas, monto, autorizado, amortizacion)
    select e.company_id, e.contract_id, sum(e.live), sum(e.monto), 0.00, 0.00
    from (
      select company_id, contract_id, 1 as live, monto from new_rows where estado not in ('rechazada', 'cancelada')
      union all select company_id, contract_id, -1, -monto from old_rows where estado not in ('rechazada', 'cancelada')) e
    group by 1, 2 having sum(e.live) <> 0 or sum(e.monto) <> 0
    on conflict (company_id, contract_id) do update set vivas = s.vivas + excluded.vivas, monto = s.monto + excluded.monto;
  else
    update estimate_sums s set monto = s.monto - d.monto
    from (
      select e.company_id, e.contract_id, l.level, (e.numero - 1) / l.size as block, sum(e.monto) as monto
      from old_rows e cross join (values (1, 32), (2, 1024), (3, 32768)) l (level, size)
      where e.estado not in ('rechazada', 'cancelada') and e.monto <> 0 group by 1, 2, 3, 4) d
    where (s.company_id, s.contract_id, s.level, s.block) = (d.company_id, d.contract_id, d.level, d.block);
    -- Only estimates that are not authorized can be deleted.
    update contract_sums s set vivas = s.vivas - d.vivas, monto = s.monto - d.monto
    from (
      select e.company_id, e.contract_id, count(*) as vivas, sum(e.monto) as monto
      from old_rows e where e.estado not in ('rechazada', 'cancelada') group by 1, 2) d
    where (s.company_id, s.contract_id) = (d.company_id, d.contract_id);
  end if;
  return null;
end
$$;
revoke execute on function keep_estimate_sums() from public;
