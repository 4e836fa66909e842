import type { Row } from '../../../database/connection/sql.ts'
import { keyedRow, unsorted } from '../../../database/turns/keyed-row.ts'
import { requestRows, type BatchQuery, idType } from '../../../database/turns/requests.ts'
import { nonFieldErrors, ValidationError } from '../../../http/errors.ts'
import type { Language } from '../../../http/messages.ts'
import { amountOf, amounts } from '../../estimates/amounts.ts'
import { estimates } from '../../estimates/resource.ts'
import { amountNames } from '../amounts.ts'
import { advanceAfter, contractSums } from '../anticipo.ts'
import { contractColumns, itsCounterparty } from '../contract-facts.ts'
import { isEarlier, ofContract } from '../earlier.ts'
import { decimals, object } from '../json.ts'
import type { Drawing } from '../drawing.ts'
import type { Report } from '../report.ts'
import { CaratulaRow, type CaratulaFigures } from './schemas.ts'

/** Maximum chapters of a sheet as PDF. Many more would take more memory than the drawing thread has. */
const maxChapters = 1000

/** Amounts that an estimate stores before its authorization too. */
const given: readonly string[] = ['monto', 'anticipo', 'deductivas']

/** The amounts of the estimate `t`, with their SQL. */
const ownAmounts = amountNames.map(name => [name, given.includes(name) ? `t.${name}` : amountOf(name)] as const)

const columns = [['estimate', idType]] as const

const importes = object(Object.fromEntries(ownAmounts.map(([name, sql]) => [name, decimals({
  anterior: `b.${name}`, periodo: sql, acumulado: `b.${name} + ${sql}`
})])))

const contract = object({ id: 'c.id', ...contractColumns })

const porcentajes = decimals(Object.fromEntries(['anticipo', 'retencion', 'iva', 'derechos'].map(name => [name, `t.${name}_porcentaje`])))

const repaid = `b.amortizacion + ${amountOf('amortizacion')}`

/** The sums of the estimates before, `b`. */
const before = `cross join lateral (
        select ${ownAmounts.map(([name]) => `coalesce(sum(e.${name}), 0.00) as ${name}`).join(', ')},
          coalesce(sum(e.monto) filter (where e.estado = 'pagada'), 0.00) as pagado
        from (select e.* from estimates e where ${ofContract('e')} and ${isEarlier} order by e.contract_id, ${unsorted} offset 0) e) b`

/** The state of the change order of a row of the catalogue or the programme. */
const convenioOf = (as: string) => keyedRow('id', { table: 'convenios', as: 'v', select: 'v.estado', company: `${as}.company_id`, value: `${as}.convenio_id` })

/** What is planned until the end of the period, `g`. Null without a programme or a period. */
const planned = `cross join lateral (
        select case when t.periodo_fin is not null and count(*) > 0
          then coalesce(sum(g.importe) filter (where g.periodo_fin <= t.periodo_fin), 0.00) end as importe
        from (select g.* from programa g where ${ofContract('g')} order by g.contract_id, ${unsorted} offset 0) g
        left join lateral ${convenioOf('g')} v on true
        where g.convenio_id is null or v.estado = 'firmado') g`

/** Rows of the catalogue, and lines of this estimate and of those before. They are not joined: without statistics, a join could compare all of them. */
const chapters = `cross join lateral (
        select coalesce(json_agg(json_build_object('capitulo', g.capitulo, 'importe', g.importe::text, 'anterior', g.anterior::text,
          'periodo', g.periodo::text, 'acumulado', (g.anterior + g.periodo)::text,
          'avance', percent_of(g.anterior + g.periodo, g.importe)::text) order by g.capitulo), '[]') as capitulos
        from (
          select n.capitulo, sum(n.importe) as importe, sum(n.anterior) as anterior, sum(n.periodo) as periodo
          from (
            select max(u.capitulo) as capitulo, sum(u.importe) as importe, sum(u.anterior) as anterior, sum(u.periodo) as periodo
            from (
              select k.id, k.capitulo, 0.00 as anterior, 0.00 as periodo,
                case when k.convenio_id is null or v.estado = 'firmado' or (v.estado = 'autorizado' and k.cantidad > 0) then k.importe else 0.00 end as importe
              from (select k.* from conceptos k where ${ofContract('k')} order by k.contract_id, ${unsorted} offset 0) k
              left join lateral ${convenioOf('k')} v on true
              union all
              select l.concepto_id, null, case when l.estimate_id = t.id then 0.00 else l.importe end,
                case when l.estimate_id = t.id then l.importe else 0.00 end, 0.00
              from (select e.id from estimates e where ${ofContract('e')} and (e.id = t.id or ${isEarlier}) order by e.contract_id, ${unsorted} offset 0) e
              cross join lateral (
                select l.* from estimate_lines l where l.company_id = t.company_id and l.estimate_id between e.id and e.id
                order by l.estimate_id, ${unsorted} offset 0) l) u
            group by u.id) n
          group by n.capitulo) g) k`

const query: BatchQuery = {
  name: 'caratula',
  slow: true,
  columns,
  text: `
      select q.i, r.revision, r.stamp, t.id as estimate, t.tipo, t.numero, t.estado, t.periodo_inicio, t.periodo_fin, t.descripcion, t.factura_uuid,
        t.company_id as company, o.nombre as company_nombre, ${contract} as contract, ${porcentajes} as porcentajes,
        ${importes} as importes, c.monto - b.monto - t.monto as por_estimar, ${advanceAfter(repaid)} as anticipo, k.capitulos,
        percent_of(b.monto + t.monto, c.monto) as avance, percent_of(g.importe, c.monto) as avance_programado,
        percent_of(b.pagado + case when t.estado = 'pagada' then t.monto else 0.00 end, c.monto) as avance_financiero
      from ${requestRows(columns)}
      join company_revisions r on r.company_id = q.company
      join companies o on o.id = q.company
      cross join lateral ${keyedRow('id', { table: 'estimates', value: 'q.estimate' })} t
      ${amounts}
      cross join lateral ${keyedRow('id', { table: 'contracts', as: 'c', value: 't.contract_id' })} c
      ${itsCounterparty}
      ${contractSums}
      ${before}
      ${planned}
      ${chapters}`
}

/** The rows of a cover sheet as CSV: one for each amount. */
function rowsOf ({ importes }: Row): Row[] {
  return Object.entries<Row>(importes).map(([importe, amounts]) => ({ importe, ...amounts }))
}

/** The figures of the sheet as PDF. @throws {ValidationError} for more than {@link maxChapters} */
function drawingOf (report: Row, language: Language): Drawing {
  const figures = report as CaratulaFigures & Row
  const values = { most: maxChapters }
  if (figures.capitulos.length > maxChapters) throw new ValidationError([{ field: nonFieldErrors, key: 'tooManyChapters', values }])
  return { report: 'caratula', figures, language }
}

/** The cover sheet of an estimate. */
export const caratula: Report = { name: 'caratula', query, resource: estimates, Row: CaratulaRow, rowsOf, drawingOf }
