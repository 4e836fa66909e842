-- Before the row is written, as the other sums, so that the next row of the same statement sees them.
create function keep_movements_authorized() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  if new.porcentajes > 0 then
    if current_setting('app.callers', true) <> '' then
      perform note_causes('movimientos', 'estimates', array_agg(m.id), array_agg(new.id))
      from (
        select m.id from movimientos m
        where m.company_id = new.company_id and m.estimate_id between new.id and new.id and m.porcentaje is not null
        order by m.estimate_id offset 0) m;
    end if;
    begin
      update movimientos m set importe = movement_percentage(
        case m.base when 'monto' then new.monto when 'subtotal' then new.subtotal else new.iva end, m.porcentaje)
      where m.company_id = new.company_id and m.estimate_id between new.id and new.id and m.porcentaje is not null;
    exception when numeric_value_out_of_range then
      raise exception 'a movement of estimate % would be too large', new.id
        using errcode = 'check_violation', constraint = 'estimates_amounts_fit';
    end;
  end if;
  if returns_more(new.company_id, new.contract_id, new.id) then
    raise exception 'estimate % would return more than was taken', new.id
      using errcode = 'check_violation', constraint = 'estimates_returns';
  end if;
  insert into movement_sums as s (company_id, contract_id, tipo, antes_iva, tomado)
  select new.company_id as company_id, new.contract_id as contract_id, t.tipo, t.antes_iva, sum(t.importe) as importe
  from (
    select m.tipo, m.antes_iva, case m.sentido when 'cargo' then m.importe else -m.importe end as importe
    from (
      select m.tipo, m.antes_iva, m.sentido, m.importe from movimientos m
      where m.company_id = new.company_id and m.estimate_id between new.id and new.id
      order by m.estimate_id offset 0) m
    union all select 'fondo_garantia', new.retencion_antes_iva, new.retencion where new.retencion <> 0) t
  group by 3, 4 having sum(t.importe) <> 0
  on conflict (company_id, contract_id, tipo, antes_iva) do update set tomado = s.tomado + excluded.tomado;
  return new;
end $$;
revoke execute on function keep_movements_authorized() from public;
create trigger keep_movements_authorized_insert before insert on estimates
  for each row when (new.neto is not null) execute function keep_movements_authorized();
create trigger keep_movements_authorized_update before update on estimates
  for each row when (old.neto is null and new.neto is not null) execute function keep_movements_authorized();

create function undo_movements() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  update movement_sums s set tomado = s.tomado - t.importe
  from (
    select old.company_id as company_id, old.contract_id as contract_id, t.tipo, t.antes_iva, sum(t.importe) as importe
    from (
      select m.tipo, m.antes_iva, case m.sentido when 'cargo' then m.importe else -m.importe end as importe
      from (
        select m.tipo, m.antes_iva, m.sentido, m.importe from movimientos m
        where m.company_id = old.company_id and m.estimate_id between old.id and old.id
        order by m.estimate_id offset 0) m
      union all select 'fondo_garantia', old.retencion_antes_iva, old.retencion where old.retencion <> 0) t
    group by 3, 4 having sum(t.importe) <> 0) t
  where (s.company_id, s.contract_id, s.tipo, s.antes_iva) = (t.company_id, t.contract_id, t.tipo, t.antes_iva);
  new.cargos_antes_iva := null; new.derechos := null; new.cargos_despues_iva := null;
  if new.porcentajes > 0 then
    if current_setting('app.callers', true) <> '' then
      perform note_causes('movimientos', 'estimates', array_agg(m.id), array_agg(new.id))
      from (
        select m.id from movimientos m
        where m.company_id = new.company_id and m.estimate_id between new.id and new.id and m.porcentaje is not null
        order by m.estimate_id offset 0) m;
    end if;
    update movimientos m set importe = null
    where m.company_id = new.company_id and m.estimate_id between new.id and new.id and m.porcentaje is not null;
  end if;
  return new;
end $$;
revoke execute on function undo_movements() from public;
create trigger undo_movements before update on estimates
  for each row when (old.neto is not null and new.neto is null) execute function undo_movements();
