import { keyedRow } from '../../../database/turns/keyed-row.ts'
import { requestRows, type BatchQuery, idType } from '../../../database/turns/batch-requests.ts'
import type { OrderingKey } from '../../../resources/reading/ordering-keys.ts'

/** The order of the periods. */
export const byHasta: OrderingKey = { field: 'hasta', sql: 'p.hasta', type: 'date', descending: false, indexed: true }

const contract = keyedRow('id', { table: 'contracts', as: 'c', select: 'c.id, c.folio, c.monto, c.moneda', value: 'q.contract' })

const isSigned = `exists ${keyedRow('id', { table: 'convenios', as: 'v', value: 'p.convenio_id', where: "v.estado = 'firmado'" })}`

/** What is planned and executed, by the days of the changes. An estimate without a period counts on the day on which it was created. */
const changes = `
            select p.periodo_inicio as desde, p.periodo_fin as hasta, p.importe as programado, 0.00 as ejecutado from programa p
            where p.company_id = q.company and p.contract_id = c.id and (p.convenio_id is null or ${isSigned})
            union all
            select coalesce(e.periodo_inicio, d.creado), coalesce(e.periodo_fin, d.creado), 0.00, e.monto from estimates e
            cross join lateral (select (e.created_at at time zone 'UTC')::date as creado) d
            where e.company_id = q.company and e.contract_id = c.id and e.neto is not null and e.monto <> 0`

/** The days with changes, and the sums up to each of them. */
const periods = `
          select p.hasta, min(p.desde) over () as desde, sum(p.programado) over upwards as programado,
            sum(p.ejecutado) over upwards as ejecutado, count(*) over ()::int as count, row_number() over upwards as nth
          from (
            select min(k.desde) as desde, k.hasta, sum(k.programado) as programado, sum(k.ejecutado) as ejecutado
            from (${changes}) k group by k.hasta) p
          window upwards as (order by p.hasta)`

const item = `true as hit, p.hasta::text as hasta, p.programado, p.ejecutado,
          percent_of(p.programado, c.monto) as porcentaje_programado, percent_of(p.ejecutado, c.monto) as porcentaje_ejecutado`

function progressQuery (name: string, columns: ReadonlyArray<readonly [string, string]>, also: string, rows: string): BatchQuery {
  return {
    name,
    slow: true,
    columns,
    text: `
      select q.i, r.revision, r.stamp, x.*${also}
      from ${requestRows(columns)}
      join company_revisions r on r.company_id = q.company
      cross join lateral ${contract} c
      cross join lateral (
        with periods as materialized (${periods})
        select n.count, y.* from (select coalesce((select count from periods limit 1), 0) as count) n
        left join lateral (select ${item}, p.desde::text as desde from periods p where ${rows}) y on true) x`
  }
}

const start = [['contract', idType], ['limit', 'int'], ['offset', 'bigint']] as const
const lastPage = '(n.count - 1) / q."limit" * q."limit"'
const page = (where: string) => `${where} order by p.hasta limit q."limit"
          offset case when q."offset" >= 0 then q."offset" else greatest(${lastPage}, 0) end`

/** The statements of a page of periods, by its start. */
export const progressQueries = {
  offset: progressQuery('progress by offset', start, '', page('true')),
  cursor: progressQuery('progress by cursor', [...start, ['after', 'date']], '', page('p.hasta > q.after'))
}

/** Maximum points of a curve. */
const maxPoints = 400

/**
 * The statement of the curve: the last period, and of the others at most {@link maxPoints}, at equal distances. Its value is the contract.
 */
export const curveQuery = progressQuery('progress curve', [['contract', idType]], ', c.folio, c.moneda', `
          (p.nth - 1) % ((p.count - 1) / ${maxPoints} + 1) = 0 or p.nth = p.count order by p.hasta`)
