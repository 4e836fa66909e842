create or replace function keep_subcontract_sums() returns trigger
language plpgsql security definer
set search_path = pg_catalog, public, pg_temp set enable_seqscan = off set enable_bitmapscan = off
set enable_sort = off set jit = off as $$
    begin 
    if tg_op = 'INSERT' then
      insert into subcontract_sums as s (company_id, parent_id, moneda, hijos, monto) 
select c.company_id, c.parent_id, c.moneda, count(*), sum(c.monto) from new_rows c where c.parent_id is not null group by 1, 2, 3
      on conflict (company_id, parent_id, moneda) do update set hijos = s.hijos + excluded.hijos, monto = s.monto + excluded.monto;
    elsif tg_op = 'UPDATE' then
      insert into subcontract_sums as s (company_id, parent_id, moneda, hijos, monto)
      select company_id, parent_id, moneda, sum(n), sum(monto) from (
        select company_id, parent_id, moneda, 1 as n, monto from new_rows where parent_id is not null
        union all select company_id, parent_id, moneda, -1, -monto from old_rows where parent_id is not null) c
      group by 1, 2, 3 having sum(n) <> 0 or sum(monto) <> 0
      on conflict (company_id, parent_id, moneda) do update set hijos = s.hijos + excluded.hijos, monto = s.monto + excluded.monto;
    else
      update subcontract_sums s set hijos = s.hijos - d.hijos, monto = s.monto - d.monto
      from (
select c.company_id, c.parent_id, c.moneda, count(*), sum(c.monto) from old_rows c where c.parent_id is not null group by 1, 2, 3) d (company_id, parent_id, moneda, hijos, monto)
      where (s.company_id, s.parent_id, s.moneda) = (d.company_id, d.parent_id, d.moneda);
    end if;
    return null;
    end
$$;
revoke execute on function keep_subcontract_sums() from public;
