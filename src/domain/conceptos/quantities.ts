import { byIndex } from '../../database/by-index.ts'

/** The quantity of a concept in authorized estimates, `s`. */
const estimated = byIndex(`left join lateral (
      select s.cantidad from concepto_sums s
      where s.company_id = t.company_id and s.concepto_id = by_index(t.id) limit 1) s on true`)

/** SQL over a row `k` of a catalogue and its change order `v`: the row counts for the quantity in force. */
const counts = "k.convenio_id is null or v.estado = 'firmado' or (v.estado = 'autorizado' and k.cantidad > 0)"

/** The quantity in force of a code, `v`: the sum of the rows that count, after `added`. It is also the function `current_quantity`. */
const inForce = (added = '') => byIndex(`cross join lateral (
      select ${added}coalesce(sum(k.cantidad) filter (where ${counts}), 0.0000) as cantidad_vigente
      from (
        select k.cantidad, k.convenio_id from conceptos k
        where k.company_id = t.company_id and k.contract_id = t.contract_id and k.clave = by_index(t.clave)) k
      left join lateral (
        select v.estado from convenios v
        where v.company_id = t.company_id and v.id = by_index(k.convenio_id) limit 1) v on true) v`)

/** SQL joins of the quantities of a concept. */
export const quantityJoins = `${estimated}
    ${inForce()}`

/**
 * The same for new concepts in the statement that inserts them. It does not see its own inserts, whose original rows are `n`. New rows of a
 * change order are rows of a draft, which does not count.
 */
export const quantityJoinsOfNew = `${estimated}
    left join (select n.company_id, n.contract_id, n.clave, n.cantidad from t n where n.convenio_id is null) n
      on n.company_id = t.company_id and n.contract_id = t.contract_id and n.clave = t.clave
    ${inForce('coalesce(n.cantidad, 0) + ')}`
