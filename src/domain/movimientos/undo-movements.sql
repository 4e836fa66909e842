create or replace function undo_movements() returns trigger
language plpgsql security definer
set search_path = pg_catalog, public, pg_temp set enable_seqscan = off set enable_bitmapscan = off
set enable_sort = off set jit = off as $$
begin
  update movement_sums s set tomado = s.tomado - t.importe
  from (
    select old.company_id as company_id, old.contract_id as contract_id, t.tipo, t.antes_iva, sum(t.importe) as importe
    from (
      select m.tipo, m.antes_iva, case m.sentido when 'cargo' then m.importe else -m.importe end as importe
      from (
        select m.tipo, m.antes_iva, m.sentido, m.importe from movimientos m
        where m.company_id = old.company_id and m.estimate_id = by_index(old.id)) m
      union all select 'fondo_garantia', old.retencion_antes_iva, old.retencion where old.retencion <> 0) t
    group by 3, 4 having sum(t.importe) <> 0) t
  where (s.company_id, s.contract_id, s.tipo, s.antes_iva) = (t.company_id, t.contract_id, t.tipo, t.antes_iva);
  new.cargos_antes_iva := null; new.derechos := null; new.cargos_despues_iva := null;
  if new.porcentajes > 0 then
    if current_setting('app.callers', true) <> '' then
      perform note_causes('movimientos', 'estimates', array_agg(m.id), array_agg(new.id))
      from (
        select m.id from movimientos m
        where m.company_id = new.company_id and m.estimate_id = by_index(new.id) and m.porcentaje is not null) m;
    end if;
    update movimientos m set importe = null
    from (
      select m.ctid as place from movimientos m
      where m.company_id = new.company_id and m.estimate_id = by_index(new.id) and m.porcentaje is not null) o
    where m.ctid = o.place;
  end if;
  return new;
end
$$;
revoke execute on function undo_movements() from public;
