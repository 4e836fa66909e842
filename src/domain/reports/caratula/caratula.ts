import { limits } from '../../../config/limits.ts'
import type { Row } from '../../../database/connection/sql.ts'
import { byIndex } from '../../../database/by-index.ts'
import { keyedRow } from '../../../database/turns/keyed-row.ts'
import { requestRows, type BatchQuery, idType } from '../../../database/turns/batch-requests.ts'
import { nonFieldErrors, ValidationError } from '../../../http/errors.ts'
import type { Language } from '../../../http/messages.ts'
import { estimates } from '../../estimates/resource.ts'
import { isEarlier, ofContract } from '../earlier.ts'
import type { Drawing } from '../drawing.ts'
import type { Report } from '../report.ts'
import { CaratulaRow, type CaratulaFigures } from './schemas.ts'

/** Maximum chapters and movements of a sheet as PDF. Many more would take more memory than the drawing thread has. */
const maxRows = limits.reports.coverRows

const columns = [['estimate', idType]] as const

/** Columns of what `caratula_of` computes and an authorization keeps, with their types. */
const figures = Object.entries({
  tipo: 'text',
  numero: 'int',
  fecha: 'text',
  periodo_inicio: 'text',
  periodo_fin: 'text',
  descripcion: 'text',
  company_nombre: 'text',
  contract: 'json',
  porcentajes: 'json',
  importes: 'json',
  movimientos: 'json',
  por_estimar: 'text',
  anticipo: 'json',
  capitulos: 'json',
  capitulos_total: 'json',
  avance: 'text',
  avance_programado: 'text'
} satisfies Partial<Record<keyof CaratulaFigures, string>>).map(([name, type]) => `${name} ${type}`).join(', ')

const kept = keyedRow('estimate_id', { table: 'caratulas', as: 'k', select: 'k.figures', value: 't.id' })

/** The paid part of the work of this estimate and of those before, `b`. */
const paid = byIndex(`cross join lateral (
        select coalesce(sum(round(e.monto * e.pagado / e.neto, 2)), 0.00) as monto
        from (
          select e.monto, e.pagado, e.neto from estimates e
          where ${ofContract('e')} and e.neto > 0 and (e.id = t.id or ${isEarlier})) e) b`)

const query: BatchQuery = {
  name: 'caratula',
  slow: true,
  columns,
  text: `
      select q.i, r.revision, r.stamp, t.id as estimate, t.estado, t.factura_uuid, t.company_id as company,
        k.figures is not null as congelada, f.*, t.pagado, case when t.neto is null then 0.00 else t.neto - t.pagado end as por_pagar,
        percent_of(b.monto, (f.contract ->> 'monto')::numeric) as avance_financiero
      from ${requestRows(columns)}
      join company_revisions r on r.company_id = q.company
      cross join lateral ${keyedRow('id', { table: 'estimates', value: 'q.estimate' })} t
      left join lateral ${kept} k on true
      cross join lateral json_to_record(coalesce(k.figures, caratula_of(t.company_id, t.id))) as f (${figures})
      ${paid}`
}

/** The rows of a cover sheet as CSV: one for each amount, and one for each movement. */
function rowsOf ({ importes, movimientos }: Row): Row[] {
  return [
    ...Object.entries<Row>(importes).map(([importe, amounts]) => ({ importe, tipo: '', motivo: '', ...amounts })),
    ...movimientos.map(({ antes_iva: isBefore, ...movement }: Row) => ({
      importe: isBefore ? 'movimiento_antes_iva' : 'movimiento_despues_iva', ...movement
    }))
  ]
}

/** The figures of the sheet as PDF. @throws {ValidationError} for more than {@link maxRows} */
function drawingOf (report: Row, language: Language): Drawing {
  const figures = report as CaratulaFigures & Row // the columns of its query
  if (figures.capitulos.length + figures.movimientos.length > maxRows) {
    throw new ValidationError([{ field: nonFieldErrors, key: 'tooManyChapters', values: { most: maxRows } }])
  }
  return { report: 'caratula', figures, language }
}

/** The cover sheet of an estimate. */
export const caratula: Report = { name: 'caratula', query, resource: estimates, Row: CaratulaRow, rowsOf, drawingOf }
