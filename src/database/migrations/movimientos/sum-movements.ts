/** The rows that an event adds and removes. */
const columns = 'company_id, id, estimate_id, sentido, antes_iva, importe, porcentaje'
const added = `select 1 as n, ${columns} from new_rows`
const removed = `select -1 as n, ${columns} from old_rows`

/** The sum of amounts without percentage. */
const fixed = (where: string) => `coalesce(sum(n * case sentido when 'cargo' then importe else -importe end)
          filter (where porcentaje is null and ${where}), 0.00)`

/** Also updates an estimate whose amounts stay the same: each write of a movement raises its version, as that of a measurement does. */
const change = (written: string) => `
    if current_setting('app.callers', true) <> '' then
      perform note_causes('estimates', 'movimientos', array_agg(w.estimate_id), array_agg(w.id)) from (${written}) w;
    end if;
    update estimates e set cargos_fijos_antes = e.cargos_fijos_antes + d.antes,
      cargos_fijos_despues = e.cargos_fijos_despues + d.despues, porcentajes = e.porcentajes + d.porcentajes
    from (
      select company_id, estimate_id,
        ${fixed('antes_iva')} as antes,
        ${fixed('not antes_iva')} as despues,
        coalesce(sum(n) filter (where porcentaje is not null), 0)::int as porcentajes
      from (${written}) w group by 1, 2) d
    where e.company_id = d.company_id and e.id = d.estimate_id;`

/** @param changed condition of the rows of `new_rows` that an update changes */
const refuseReturns = (changed = '') => `
    if exists (
      select from (
        select distinct n.company_id, n.contract_id, n.estimate_id, n.tipo, n.antes_iva from new_rows n
        where n.sentido = 'abono' ${changed}) n
      where returned_in(n.company_id, n.estimate_id, n.tipo, n.antes_iva, null)
        > returnable(n.company_id, n.contract_id, n.tipo, n.antes_iva))
    then
      raise exception 'more would be returned than was taken' using errcode = 'check_violation', constraint = 'movimientos_returns';
    end if;`

/** The function of triggers that add movements to the charges of their estimates. */
export const sumMovements = `
create function sum_movements() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    perform lock_companies(array(select distinct company_id from new_rows));${change(added)}${refuseReturns()}
  elsif tg_op = 'DELETE' then
    perform lock_companies(array(select distinct company_id from old_rows));${change(removed)}
  -- An authorization stores amounts of percentages, which the estimate already has.
  elsif pg_trigger_depth() = 1 then
    perform lock_companies(array(select distinct company_id from new_rows));${change(`${added} union all ${removed}`)}${refuseReturns(`
          and not exists (
            select from old_rows o where o.id = n.id
              and (o.sentido, o.tipo, o.antes_iva, o.importe, o.porcentaje, o.base)
                is not distinct from (n.sentido, n.tipo, n.antes_iva, n.importe, n.porcentaje, n.base))`)}
  end if;
  return null;
exception when numeric_value_out_of_range then
  raise exception 'the sum of movements would be too large'
    using errcode = 'check_violation', table = tg_table_name, constraint = 'movimientos_importe_sum';
end $$;`
