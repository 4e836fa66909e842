-- A settled contract keeps its amounts, whatever changes them: its own columns, or the rows of its catalogue.
create or replace function keep_agreed() returns trigger
language plpgsql
set enable_seqscan = off set enable_bitmapscan = off set enable_nestloop = off set enable_mergejoin = off
set jit = off as $$
declare
  broken record;
begin
  perform lock_companies(array(select distinct n.company_id from new_rows n));
  select n.id, b.term into broken
  from new_rows n
  join old_rows o on o.id = n.id
  cross join lateral (
    select s.autorizado - s.extra as authorized, pg_trigger_depth() = 1 and s.firmados > 0 as is_signed, s.liquidado from contract_sums s
    where s.company_id = n.company_id and s.contract_id = n.id offset 0) s
  cross join lateral (select case
    when s.liquidado then case
      when n.monto <> o.monto then 'monto_settled'
      when n.moneda <> o.moneda then 'moneda_settled'
      when n.fecha_inicio is distinct from o.fecha_inicio then 'fecha_inicio_settled'
      when n.fecha_fin is distinct from o.fecha_fin then 'fecha_fin_settled'
      when n.anticipo_porcentaje <> o.anticipo_porcentaje then 'anticipo_porcentaje_settled'
      when n.retencion_porcentaje <> o.retencion_porcentaje then 'retencion_porcentaje_settled'
      when n.iva_porcentaje <> o.iva_porcentaje then 'iva_porcentaje_settled'
      when n.derechos_porcentaje <> o.derechos_porcentaje then 'derechos_porcentaje_settled'
      when n.retencion_antes_iva <> o.retencion_antes_iva then 'retencion_antes_iva_settled' end
    when s.is_signed and o.fecha_fin is not null and n.fecha_fin is distinct from o.fecha_fin then 'fecha_fin_agreed'
    when s.is_signed and n.monto <> o.monto then 'monto_agreed'
    when n.monto < o.monto and s.authorized > n.monto and not is_rounding(n.company_id, n.id, null) then 'authorized' end as term) b
  where b.term is not null order by n.id limit 1;
  if broken.term = 'authorized' then
    raise exception 'contract % has more authorized than that', broken.id
      using errcode = 'check_violation', constraint = 'contracts_authorized';
  elsif right(broken.term, 8) = '_settled' then
    raise exception 'contract % is settled and keeps its %', broken.id, replace(broken.term, '_settled', '')
      using errcode = 'check_violation', constraint = 'contracts_' || broken.term;
  elsif broken.term is not null then
    raise exception 'change orders have set % of contract %', replace(broken.term, '_agreed', ''), broken.id
      using errcode = 'check_violation', constraint = 'contracts_' || broken.term;
  end if;
  return null;
end
$$;
