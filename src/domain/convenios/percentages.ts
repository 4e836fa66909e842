import { byIndex } from '../../database/by-index.ts'
import { keyedRow } from '../../database/turns/keyed-row.ts'

/** The original contract, `o`: its amount and its days without signed change orders. */
const original = `cross join lateral (
      select c.monto - coalesce(s.convenios, 0.00) as monto, c.fecha_fin - coalesce(s.dias, 0) - c.fecha_inicio + 1 as dias
      from ${keyedRow('id', { table: 'contracts', as: 'c', company: 't.company_id', value: 't.contract_id' })} c
      left join lateral (
        select s.convenios, s.dias from contract_sums s
        where s.company_id = t.company_id and s.contract_id = t.contract_id offset 0) s on true) o`

/**
 * The additions of a change order `v`: its positive rows, or its amount without rows. The rest of its amount are reductions. RLOPSRM 100
 * and 102 compare both apart, so that one does not hide the other.
 */
const additions = byIndex(`(
        select case v.monto_rows when 0 then greatest(0.00, v.monto) else (
          select coalesce(sum(k.importe), 0.00) from (
            select k.importe from conceptos k
            where k.company_id = t.company_id and k.convenio_id = by_index(v.id) and k.importe > 0) k) end as aumento offset 0)`)

/**
 * What the change order and the signed ones before it change, `p`. Numbers of a contract have no gaps, and its signed change orders are
 * few: each one is a document that people sign.
 */
const changes = byIndex(`cross join lateral (
      select sum(v.monto) as monto, sum(v.dias) as dias, sum(a.aumento) as aumento, sum(v.monto - a.aumento) as reduccion
      from (
        (select v.id, v.monto, v.monto_rows, v.dias from convenios v
        where v.company_id = t.company_id and v.contract_id = by_index(t.contract_id) and v.numero < t.numero and v.estado = 'firmado'
        order by v.numero)
        union all select t.id, t.monto, t.monto_rows, t.dias) v
      cross join lateral ${additions} a) p`)

/** SQL of a warning: the changes are larger than a part of the original, 4 for a quarter. */
function warning (name: string, field: 'monto' | 'aumento' | 'reduccion' | 'dias', part: number): string {
  const whole = field === 'dias' ? 'o.dias' : 'o.monto'
  return `case when ${whole} > 0 and abs(p.${field}) * ${part} > ${whole} then '${name}' end`
}

const hasLumpSum = `exists (
            select from conceptos k where k.company_id = t.company_id and k.convenio_id = t.id and k.alzado offset 0)`

/** SQL joins of the percentages and warnings of a change order, `x`. */
export const percentageJoins = `${original}
    ${changes}
    cross join lateral (
      select percent_of(p.monto, o.monto) as porcentaje_monto, percent_of(p.aumento, o.monto) as porcentaje_aumento,
        percent_of(p.reduccion, o.monto) as porcentaje_reduccion, percent_of(p.dias, o.dias) as porcentaje_dias,
        array_remove(array[
          ${warning('monto_25', 'monto', 4)}, ${warning('monto_50', 'monto', 2)},
          ${warning('aumento_25', 'aumento', 4)}, ${warning('aumento_50', 'aumento', 2)},
          ${warning('reduccion_25', 'reduccion', 4)}, ${warning('reduccion_50', 'reduccion', 2)},
          ${warning('dias_25', 'dias', 4)}, ${warning('dias_50', 'dias', 2)},
          case when ${hasLumpSum} then 'alzado' end], null) as avisos) x`
