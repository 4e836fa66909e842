-- A payment changes the sum of its estimate. New payments of a trigger are those of pay_rest, whose estimate already has them in its sum.
create function settle_estimate() returns trigger language plpgsql as $$
declare wrong bigint;
begin
  if tg_op = 'INSERT' and pg_trigger_depth() > 1 then
    return null;
  end if;
  if tg_op = 'INSERT' then
    perform lock_companies(array(select distinct company_id from new_rows));
    select n.id into wrong from new_rows n cross join lateral (
      select e.contract_id, e.estado, e.neto, e.pagado from estimates e
      where e.company_id = n.company_id and e.id between n.estimate_id and n.estimate_id order by e.id limit 1) e
    cross join lateral (
      select c.estado from contracts c
      where c.company_id = n.company_id and c.id between e.contract_id and e.contract_id order by c.id limit 1) c
    where e.estado <> 'autorizada' or c.estado = 'cancelado' limit 1;
    if wrong is not null then
      raise exception 'the estimate of payment % cannot be paid', wrong
        using errcode = 'check_violation', constraint = 'pagos_payable';
    end if;
    select n.id into wrong from new_rows n cross join lateral (
      select e.contract_id, e.estado, e.neto, e.pagado from estimates e
      where e.company_id = n.company_id and e.id between n.estimate_id and n.estimate_id order by e.id limit 1) e
    where sign(n.importe) <> sign(e.neto - e.pagado) limit 1;
    if wrong is not null then
      raise exception 'payment % has another sign than the amount left to pay', wrong
        using errcode = 'check_violation', constraint = 'pagos_due';
    end if;
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
end $$;
create trigger settle_estimate_insert after insert on pagos referencing new table as new_rows
  for each statement execute function settle_estimate();
create trigger settle_estimate_delete after delete on pagos referencing old table as old_rows
  for each statement execute function settle_estimate();

-- After keep_estimate, which sets neto. A change to pagada pays the rest, and pay_rest records that payment.
create function keep_paid() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and new.pagado <> old.pagado then
    if new.neto is null or (new.pagado <> 0 and sign(new.pagado) <> sign(new.neto)) or abs(new.pagado) > abs(new.neto) then
      raise exception 'the payments of estimate % would be more than its neto', new.id
        using errcode = 'check_violation', constraint = 'pagos_due';
    end if;
    new.estado := case when new.pagado = new.neto then 'pagada' else 'autorizada' end;
  else
    new.pagado := new.neto;
  end if;
  return new;
end $$;
create trigger keep_paid_insert before insert on estimates
  for each row when (new.estado = 'pagada') execute function keep_paid();
create trigger keep_paid_update before update on estimates
  for each row when (new.pagado <> old.pagado or (new.estado = 'pagada' and old.estado <> 'pagada')) execute function keep_paid();

create function pay_rest() returns trigger language plpgsql as $$
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
end $$;
create trigger then_pay_insert after insert on estimates referencing new table as new_rows
  for each statement execute function pay_rest();
create trigger then_pay_update after update on estimates referencing new table as new_rows
  for each statement execute function pay_rest();
