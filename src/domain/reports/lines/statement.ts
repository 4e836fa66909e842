import { keyedRow } from '../../../database/turns/keyed-row.ts'
import { requestRows, type BatchQuery } from '../../../database/turns/requests.ts'
import { idType } from '../../../resources/declaration/conditions.ts'
import type { OrderingKey } from '../../../resources/reading/ordering.ts'

/** The order of the lines: that of the catalogue. */
export const byConcepto: OrderingKey = { field: 'concepto', sql: 'k.id', type: idType, descending: false, indexed: true }

/** Which concepts the report has: those with a line in the estimate, or all of the contract. */
export type Reported = 'lines' | 'catalogue'

/** Where a page begins: at an offset, or after a cursor's concept. */
type Start = 'offset' | 'cursor'

const pages = 'limit q."limit" offset case when q."offset" >= 0 then q."offset" else greatest((n.count - 1) / q."limit" * q."limit", 0) end'

/** The ids of the page's concepts, `k`. Each range and its order leave only one index, as in `keyedRow`. */
const concepts: Record<Reported, { count: string, page: (beyond: string) => string }> = {
  lines: {
    count: 'select e.lineas as count',
    page: beyond => `
      select l.concepto_id as id from estimate_lines l
      where l.company_id = q.company and l.estimate_id between e.id and e.id ${beyond && `and l.concepto_id > ${beyond}`}
      order by l.estimate_id, l.concepto_id ${pages}`
  },
  catalogue: {
    count: 'select count(*)::int as count from conceptos k where k.company_id = q.company and k.contract_id = e.contract_id',
    page: beyond => `
      select k.id from conceptos k
      where k.company_id = q.company and k.contract_id between e.contract_id and e.contract_id ${beyond && `and k.id > ${beyond}`}
      order by k.contract_id, k.id ${pages}`
  }
}

const estimate = keyedRow('id', { table: 'estimates', as: 'e', select: 'e.id, e.contract_id, e.numero, e.lineas', value: 'q.estimate' })

const line = `(
    select l.* from estimate_lines l where l.company_id = q.company and l.estimate_id = e.id and l.concepto_id = k.id offset 0) l`

const price = 'coalesce(l.precio_unitario, c.precio_unitario)'

/** Columns of a line, over the concept `c`, its line `l` and the quantities `s`. */
const item = `c.id as concepto, c.clave, c.capitulo, c.descripcion, c.unidad, c.alzado,
    round(${price}, greatest(2, min_scale(${price}))) as precio_unitario,
    coalesce(l.generadores, 0) as generadores, s.vigente as cantidad_vigente, s.anterior, coalesce(l.cantidad, 0.0000) as periodo,
    s.anterior + coalesce(l.cantidad, 0.0000) as acumulada, s.excedente, s.importe_anterior, coalesce(l.importe, 0.00) as importe_periodo,
    s.importe_anterior + coalesce(l.importe, 0.00) as importe_acumulado`

/** The quantities before and in force. An authorized line stores them. */
const totals = `(
          select l.anterior, l.importe_anterior, l.vigente, l.excedente where l.anterior is not null
          union all
          select t.* from line_totals(q.company, e.contract_id, k.id, e.id, e.numero) t where l.anterior is null offset 0) s`

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
      cross join lateral ${estimate} e
      cross join lateral (${count} offset 0) n
      left join lateral (
        select true as hit, ${item}
        from (${page(start === 'cursor' ? 'q.after' : '')}) k
        cross join lateral ${keyedRow('id', { table: 'conceptos', as: 'c', value: 'k.id' })} c
        left join lateral ${line} on true
        cross join lateral ${totals}
        order by k.id) x on true`
  }
}

/** The statements of a page of lines, by the concepts and the start. */
export const linesQueries: Record<Reported, Record<Start, BatchQuery>> = {
  lines: { offset: linesQuery('lines', 'offset'), cursor: linesQuery('lines', 'cursor') },
  catalogue: { offset: linesQuery('catalogue', 'offset'), cursor: linesQuery('catalogue', 'cursor') }
}
