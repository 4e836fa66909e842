import type { Row } from '../../src/database/connection/sql.ts'

/** SQL of the stored sums that differ from those of the records. */
export const wrongSumsQuery = `
  with levels (level, size) as (values (1, 32), (2, 1024), (3, 32768)),
  found as (
    select 'estimate_sums' as of, company_id, contract_id, level || '/' || block as part, 0 as n, monto, 0.00 as other from estimate_sums where monto <> 0
    union all select 'contract_sums', company_id, contract_id, monto::text, vivas, autorizado, amortizacion from contract_sums where vivas <> 0 or monto <> 0 or autorizado <> 0
    union all select 'contract_sums of convenios', company_id, contract_id, concat_ws('/', acordados, dias, extra), firmados, convenios, convenios_sin_anticipo from contract_sums where acordados <> 0
    union all select 'contract_sums of advances', company_id, contract_id, liquidado::text, 0, anticipos, 0.00 from contract_sums where anticipos <> 0 or liquidado
    union all select 'subcontract_sums', company_id, parent_id, moneda, hijos, monto, 0.00 from subcontract_sums where hijos <> 0 or monto <> 0
    union all select 'estimates', company_id, id, 'pagado', 0, pagado, 0.00 from estimates where pagado <> 0
    union all select 'estimate_lines', company_id, estimate_id, concat_ws('/', concepto_id, numero, con_anticipo), generadores, importe, cantidad from estimate_lines
    union all select 'lines of estimates', company_id, id, 'monto', lineas, monto, sin_anticipo from estimates where lineas <> 0
    union all select 'concepto_sums', company_id, concepto_id, 'cantidad', 0, importe, cantidad from concepto_sums where cantidad <> 0 or importe <> 0
    union all select 'contract_sums of lines', company_id, contract_id, 'monto', con_lineas, monto_lineas, 0.00 from contract_sums where con_lineas <> 0
    union all select 'movements of estimates', company_id, id, 'fixed', porcentajes, cargos_fijos_antes, cargos_fijos_despues from estimates
      where (porcentajes, cargos_fijos_antes, cargos_fijos_despues) <> (0, 0.00, 0.00)
    union all select 'charges of estimates', company_id, id, 'cargos', 0, cargos_antes_iva, cargos_despues_iva from estimates where (cargos_antes_iva, cargos_despues_iva) <> (0.00, 0.00)
    union all select 'movement_sums', company_id, contract_id, concat_ws('/', tipo, antes_iva), 0, tomado, 0.00 from movement_sums where tomado <> 0
    union all select 'rows of contracts', company_id, id, 'monto', monto_rows, monto, 0.00 from contracts where monto_rows <> 0
    union all select 'rows of convenios', company_id, id, 'monto', monto_rows, monto, 0.00 from convenios where monto_rows <> 0),
  -- The price of an authorized line is that of its concept too, whose row is closed.
  measured as (
    select g.company_id, e.contract_id, g.estimate_id, g.concepto_id, e.numero, e.neto is not null as authorized, coalesce(v.con_anticipo, true) as con_anticipo,
      count(*)::int as generadores, sum(g.cantidad) as cantidad, round(sum(g.cantidad) * k.precio_unitario, 2) as importe
    from generadores g
    join estimates e on e.id = g.estimate_id join conceptos k on k.id = g.concepto_id left join convenios v on v.id = k.convenio_id
    group by 1, 2, 3, 4, 5, 6, 7, k.precio_unitario),
  moved as (
    select m.company_id, m.contract_id, m.estimate_id, m.tipo, m.antes_iva, m.porcentaje, e.neto is not null as authorized,
      case m.sentido when 'cargo' then m.importe else -m.importe end as importe
    from movimientos m join estimates e on e.id = m.estimate_id),
  wanted as (
    select 'estimate_sums' as of, company_id, contract_id, level || '/' || (numero - 1) / size as part, 0 as n, sum(monto) as monto, 0.00 as other
    from estimates cross join levels where estado not in ('rechazada', 'cancelada') group by 1, 2, 3, 4 having sum(monto) <> 0
    union all select 'contract_sums', company_id, contract_id, coalesce(sum(monto) filter (where estado not in ('rechazada', 'cancelada')), 0.00)::text,
      count(*) filter (where estado not in ('rechazada', 'cancelada')), coalesce(sum(monto) filter (where neto is not null), 0.00), coalesce(sum(amortizacion), 0.00)
    from estimates group by 1, 2, 3 having count(*) filter (where estado not in ('rechazada', 'cancelada')) > 0
    union all select 'contract_sums of advances', company_id, contract_id, bool_or(tipo = 'finiquito')::text, 0, sum(anticipo), 0.00
    from estimates where neto is not null group by 1, 2, 3 having sum(anticipo) <> 0 or bool_or(tipo = 'finiquito')
    union all select 'contract_sums of convenios', company_id, contract_id,
      concat_ws('/', count(*), coalesce(sum(dias) filter (where estado = 'firmado'), 0), coalesce(sum(greatest(monto, 0.00)) filter (where estado = 'autorizado'), 0.00)),
      count(*) filter (where estado = 'firmado'), coalesce(sum(monto) filter (where estado = 'firmado'), 0.00), coalesce(sum(monto) filter (where estado = 'firmado' and not con_anticipo), 0.00)
    from convenios where estado in ('autorizado', 'firmado') group by 1, 2, 3
    union all select 'subcontract_sums', company_id, parent_id, moneda, count(*), sum(monto), 0.00 from contracts where parent_id is not null group by 1, 2, 3, 4
    union all select 'estimates', company_id, estimate_id, 'pagado', 0, sum(importe), 0.00 from pagos group by 1, 2, 3, 4 having sum(importe) <> 0
    union all select 'estimate_lines', company_id, estimate_id, concat_ws('/', concepto_id, numero, con_anticipo), generadores, importe, cantidad from measured
    union all select 'lines of estimates', company_id, estimate_id, 'monto', count(*), sum(importe), coalesce(sum(importe) filter (where not con_anticipo), 0.00) from measured group by 1, 2, 3, 4
    union all select 'concepto_sums', company_id, concepto_id, 'cantidad', 0, sum(importe), sum(cantidad) from measured where authorized group by 1, 2, 3, 4
      having sum(importe) <> 0 or sum(cantidad) <> 0
    union all select 'contract_sums of lines', company_id, contract_id, 'monto', count(distinct estimate_id), sum(importe), 0.00 from measured where authorized group by 1, 2, 3, 4
    union all select 'movements of estimates', company_id, estimate_id, 'fixed', count(porcentaje),
      coalesce(sum(importe) filter (where antes_iva and porcentaje is null), 0.00), coalesce(sum(importe) filter (where not antes_iva and porcentaje is null), 0.00)
    from moved group by 1, 2, 3, 4
    having count(porcentaje) > 0 or coalesce(sum(importe) filter (where antes_iva and porcentaje is null), 0) <> 0 or coalesce(sum(importe) filter (where not antes_iva and porcentaje is null), 0) <> 0
    union all select 'charges of estimates', company_id, estimate_id, 'cargos', 0, coalesce(sum(importe) filter (where antes_iva), 0.00), coalesce(sum(importe) filter (where not antes_iva), 0.00)
    from moved where authorized group by 1, 2, 3, 4 having coalesce(sum(importe) filter (where antes_iva), 0) <> 0 or coalesce(sum(importe) filter (where not antes_iva), 0) <> 0
    union all select 'movement_sums', company_id, contract_id, concat_ws('/', tipo, antes_iva), 0, sum(importe), 0.00
    from (
      select company_id, contract_id, tipo, antes_iva, importe from moved where authorized
      union all select company_id, contract_id, 'fondo_garantia', retencion_antes_iva, retencion from estimates where neto is not null) t
    group by 1, 2, 3, 4 having sum(importe) <> 0
    union all select 'percentages without an amount', company_id, estimate_id, 'importe', 0, importe, 0.00 from moved where porcentaje is not null and (importe is null) = authorized
    union all select 'rows of contracts', k.company_id, k.contract_id, 'monto', count(*), sum(k.importe) + coalesce((
      select sum(v.monto) from convenios v where v.company_id = k.company_id and v.contract_id = k.contract_id and v.estado = 'firmado'), 0.00), 0.00
    from conceptos k where k.convenio_id is null group by k.company_id, k.contract_id
    union all select 'rows of convenios', company_id, convenio_id, 'monto', count(*), sum(importe), 0.00 from conceptos where convenio_id is not null group by 1, 2, 3, 4)
  (select 'stored' as which, found.* from found except all select 'stored', wanted.* from wanted)
  union all (select 'missing', wanted.* from wanted except all select 'missing', found.* from found)`

/** Compares the stored sums with the records. @returns the differences */
export async function wrongSums (psql: (text: string) => Promise<Row[]>): Promise<Row[]> {
  return await psql(wrongSumsQuery)
}
