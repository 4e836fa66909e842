import { byIndex } from '../../../database/by-index.ts'
import { keyedRow } from '../../../database/turns/keyed-row.ts'
import { requestRows, type BatchQuery, idType } from '../../../database/turns/batch-requests.ts'
import type { OrderingKey } from '../../../resources/reading/ordering-keys.ts'
import { isOvertaken, ofContract } from '../earlier.ts'

/** The order of the lines: that of the catalogue. */
export const byConcepto: OrderingKey = { field: 'concepto', sql: 'k.id', type: idType, descending: false, indexed: true }

/** Which concepts the report has: those with a line in the estimate, or all of the contract. */
export type Reported = 'lines' | 'catalogue'

/** Where a page begins: at an offset, or after a cursor's concept. */
type Start = 'offset' | 'cursor'

const pages = 'limit q."limit" offset case when q."offset" >= 0 then q."offset" else greatest((n.count - 1) / q."limit" * q."limit", 0) end'

/** The ids of the page's concepts, `k`. */
const concepts: Record<Reported, { count: string, page: (beyond: string) => string }> = {
  lines: {
    count: 'select t.lineas as count',
    page: beyond => byIndex(`
      select l.concepto_id as id from estimate_lines l
      where l.company_id = q.company and l.estimate_id = by_index(t.id) ${beyond && `and l.concepto_id > ${beyond}`}
      order by l.concepto_id ${pages}`)
  },
  catalogue: {
    count: 'select count(*)::int as count from conceptos k where k.company_id = q.company and k.contract_id = t.contract_id',
    page: beyond => byIndex(`
      select k.id from conceptos k
      where k.company_id = q.company and k.contract_id = by_index(t.contract_id) ${beyond && `and k.id > ${beyond}`}
      order by k.id ${pages}`)
  }
}

const estimate = keyedRow('id', { table: 'estimates', value: 'q.estimate' })

const line = `(
    select l.* from estimate_lines l where l.company_id = q.company and l.estimate_id = t.id and l.concepto_id = k.id offset 0) l`

const price = 'coalesce(l.precio_unitario, c.precio_unitario)'

/** Columns of a line, over the concept `c`, its line `l`, the quantities `s` and whether another row has the excess, `o`. */
const item = `c.id as concepto, c.convenio_id as convenio, c.clave, c.capitulo, c.descripcion, c.unidad, c.alzado, c.cantidad,
    round(${price}, greatest(2, min_scale(${price}))) as precio_unitario,
    coalesce(l.generadores, 0) as generadores, s.vigente as cantidad_vigente, s.anterior, coalesce(l.cantidad, 0.0000) as periodo,
    s.anterior + coalesce(l.cantidad, 0.0000) as acumulada,
    case when s.excedente > 0 and o.is_repeated then 0.0000 else s.excedente end as excedente,
    s.importe_anterior, coalesce(l.importe, 0.00) as importe_periodo, s.importe_anterior + coalesce(l.importe, 0.00) as importe_acumulado`

/** Ids of the estimates that `line_totals_without` leaves out, because they have lower numbers but are not earlier. */
const later = byIndex(`(
        select coalesce(array_agg(e.id), '{}') as ids
        from (
          select e.id from estimates e
          where ${ofContract('e')} and ${isOvertaken}
          order by e.autorizacion) e) a`)

/** The quantities before and in force. An authorized line stores them. */
const totals = `(
          select l.anterior, l.importe_anterior, l.vigente, l.excedente where l.anterior is not null
          union all
          select s.* from line_totals_without(a.ids, q.company, t.contract_id, k.id, t.id, t.numero) s where l.anterior is null offset 0) s`

const otherHasLine =
  'exists (select from estimate_lines l where l.company_id = q.company and l.estimate_id = t.id and l.concepto_id = o.id offset 0)'

/**
 * Whether another row has the excess of the `clave`: its first row with a line in the estimate, or without such a row, its first row. So an
 * authorized estimate shows the excess that its authorization stored.
 */
const repeated = byIndex(`(
          select exists (
            select from (
              select o.id from conceptos o
              where o.company_id = q.company and o.contract_id = t.contract_id and o.clave = by_index(c.clave)) o
            where o.id <> c.id and case when l.concepto_id is null then o.id < c.id or ${otherHasLine}
              else o.id < c.id and ${otherHasLine} end) as is_repeated offset 0)`)

function linesQuery (reported: Reported, start: Start): BatchQuery {
  const { count, page } = concepts[reported]
  const columns: Array<readonly [string, string]> = [['estimate', idType], ['limit', 'int'], ['offset', 'bigint']]
  if (start === 'cursor') columns.push(['after', idType])
  return {
    name: `estimate report of ${reported} by ${start}`,
    columns,
    limit: 'limit',
    text: `
      select q.i, r.revision, r.stamp, n.count, x.*
      from ${requestRows(columns)}
      join company_revisions r on r.company_id = q.company
      cross join lateral ${estimate} t
      cross join lateral (${count} offset 0) n
      cross join lateral ${later}
      left join lateral (
        select true as hit, ${item}
        from (${page(start === 'cursor' ? 'q.after' : '')}) k
        cross join lateral ${keyedRow('id', { table: 'conceptos', as: 'c', value: 'k.id' })} c
        left join lateral ${line} on true
        cross join lateral ${totals}
        cross join lateral ${repeated} o
        order by k.id) x on true`
  }
}

/** The statements of a page of lines, by the concepts and the start. */
export const linesQueries: Record<Reported, Record<Start, BatchQuery>> = {
  lines: { offset: linesQuery('lines', 'offset'), cursor: linesQuery('lines', 'cursor') },
  catalogue: { offset: linesQuery('catalogue', 'offset'), cursor: linesQuery('catalogue', 'cursor') }
}
