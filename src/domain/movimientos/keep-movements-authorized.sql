-- Before the row is written, as the other sums, so that the next row of the same statement sees them.
create or replace function keep_movements_authorized() returns trigger
language plpgsql security definer
set search_path = pg_catalog, public, pg_temp set enable_seqscan = off set enable_bitmapscan = off
set enable_sort = off set jit = off as $$
begin
  if new.porcentajes > 0 then
    if current_setting('app.callers', true) <> '' then
      perform note_causes('movimientos', 'estimates', array_agg(m.id), array_agg(new.id))
      from (
        select m.id from movimientos m
        where m.company_id = new.company_id and m.estimate_id = by_index(new.id) and m.porcentaje is not null) m;
    end if;
    begin
      update movimientos m set importe = movement_percentage(
        case m.base when 'monto' then new.monto when 'subtotal' then new.subtotal else new.iva end, m.porcentaje)
      from (
        select m.ctid as place from movimientos m
        where m.company_id = new.company_id and m.estimate_id = by_index(new.id) and m.porcentaje is not null) o
      where m.ctid = o.place;
    exception when numeric_value_out_of_range then
      raise exception 'a movement of estimate % would be too large', new.id
        using errcode = 'check_violation', constraint = 'estimates_amounts_fit';
    end;
  end if;
  insert into movement_sums as s (company_id, contract_id, tipo, antes_iva, tomado)
  select new.company_id as company_id, new.contract_id as contract_id, t.tipo, t.antes_iva, sum(t.importe) as importe
  from (
    select m.tipo, m.antes_iva, case m.sentido when 'cargo' then m.importe else -m.importe end as importe
    from (
      select m.tipo, m.antes_iva, m.sentido, m.importe from movimientos m
      where m.company_id = new.company_id and m.estimate_id = by_index(new.id)) m
    union all select 'fondo_garantia', new.retencion_antes_iva, new.retencion where new.retencion <> 0) t
  group by 3, 4 having sum(t.importe) <> 0
  on conflict (company_id, contract_id, tipo, antes_iva) do update set tomado = s.tomado + excluded.tomado;
  return new;
end
$$;
revoke execute on function keep_movements_authorized() from public;
