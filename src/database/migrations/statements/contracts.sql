-- Locks and reads once per statement, as a statement changes the contracts of many callers.
drop trigger keep_authorized on contracts;
drop trigger keep_agreed_monto on contracts;
drop trigger keep_agreed_fecha_fin on contracts;
drop function keep_authorized;
drop function keep_agreed;

-- Authorized lines can add up to some cents more than the contract. Signatures change the amount and the end by a trigger, so at a depth of 2
-- or more. A contract without an end can get one after the first signature: `dias` needs one.
create function keep_agreed() returns trigger language plpgsql as $$
declare
  broken record;
begin
  perform lock_companies(array(select distinct n.company_id from new_rows n));
  select n.id, b.term into broken
  from new_rows n
  join old_rows o on o.id = n.id
  cross join lateral (
    select s.autorizado - s.extra as authorized, pg_trigger_depth() = 1 and s.firmados > 0 as is_signed from contract_sums s
    where s.company_id = n.company_id and s.contract_id = n.id offset 0) s
  cross join lateral (select case
    when s.is_signed and o.fecha_fin is not null and n.fecha_fin is distinct from o.fecha_fin then 'fecha_fin_agreed'
    when s.is_signed and n.monto <> o.monto then 'monto_agreed'
    when n.monto < o.monto and s.authorized > n.monto and not is_rounding(n.company_id, n.id, null) then 'authorized' end as term) b
  where b.term is not null order by n.id limit 1;
  if broken.term = 'authorized' then
    raise exception 'contract % has more authorized than that', broken.id
      using errcode = 'check_violation', constraint = 'contracts_authorized';
  elsif broken.term is not null then
    raise exception 'change orders have set % of contract %', replace(broken.term, '_agreed', ''), broken.id
      using errcode = 'check_violation', constraint = 'contracts_' || broken.term;
  end if;
  return null;
end $$;
alter function keep_agreed set enable_seqscan = off set enable_bitmapscan = off set enable_nestloop = off set enable_mergejoin = off set jit = off;
create trigger keep_agreed after update on contracts referencing old table as old_rows new table as new_rows
  for each statement execute function keep_agreed();
