import type { Row } from '../../../database/connection/sql.ts'
import { keyedRow, unsorted } from '../../../database/turns/keyed-row.ts'
import { requestRows, type BatchQuery, idType } from '../../../database/turns/requests.ts'
import { nonFieldErrors, ValidationError } from '../../../http/errors.ts'
import type { Language } from '../../../http/messages.ts'
import { contracts } from '../../contracts/resource.ts'
import { amountNames } from '../amounts.ts'
import { advanceAfter, contractSums } from '../anticipo.ts'
import { contractColumns, itsCounterparty } from '../contract-facts.ts'
import { decimals, object } from '../json.ts'
import type { Drawing } from '../drawing.ts'
import type { Report } from '../report.ts'
import { AccountRow, maxRows, type EstadoDeCuentaFigures } from './schemas.ts'

const columns = [['contract', idType]] as const

const ofContract = (as: string) => `${as}.company_id = c.company_id and ${as}.contract_id between c.id and c.id`

/** The authorized estimates of the contract `c`. */
const authorized = `(
          select e.* from estimates e where ${ofContract('e')} and e.neto is not null order by e.contract_id, ${unsorted} offset 0) e`

/** Each estimate is followed by its payments, so that the balance shows what is left of it. */
const entries = `
        select e.tipo, e.id, e.id as estimate, e.numero, e.periodo_fin as fecha, coalesce(e.factura_uuid::text, '') as referencia,
          e.neto as cargo, null::numeric as abono, e.autorizacion, 0 as place
        from ${authorized}
        union all
        select 'pago', p.id, e.id, e.numero, p.fecha, p.referencia, null, p.importe, e.autorizacion, 1
        from ${authorized}
        cross join lateral (
          select p.* from pagos p where p.company_id = c.company_id and p.estimate_id between e.id and e.id
          order by p.estimate_id, ${unsorted} offset 0) p`

const shown = {
  tipo: 'x.tipo',
  id: 'x.id',
  estimate: 'x.estimate',
  numero: 'x.numero',
  fecha: 'x.fecha',
  referencia: 'x.referencia',
  cargo: 'x.cargo::text',
  abono: 'x.abono::text',
  saldo: 'x.saldo::text'
}

const documents = `cross join lateral (
        select coalesce(json_agg(${object(shown)} order by x.autorizacion, x.place, x.fecha, x.id), '[]') as documentos
        from (
          select x.*, sum(coalesce(x.cargo, 0.00) - coalesce(x.abono, 0.00)) over (order by x.autorizacion, x.place, x.fecha, x.id) as saldo
          from (${entries}) x order by x.autorizacion, x.place, x.fecha, x.id limit ${maxRows + 1}) x) d`

const sums = `cross join lateral (
        select ${[...amountNames, 'pagado'].map(name => `coalesce(sum(e.${name}), 0.00) as ${name}`).join(', ')}
        from ${authorized}) b`

const importes = decimals(Object.fromEntries(amountNames.map(name => [name, `b.${name}`])))

const retained = `cross join lateral (
        select coalesce(json_agg(${object({ tipo: 'm.tipo', antes_iva: 'm.antes_iva', importe: 'm.tomado::text' })} order by m.tipo, m.antes_iva), '[]') as retenido
        from movement_sums m where m.company_id = c.company_id and m.contract_id = c.id and m.tomado <> 0) m`

const query: BatchQuery = {
  name: 'estado de cuenta',
  slow: true,
  columns,
  text: `
      select q.i, r.revision, r.stamp, c.company_id as company, o.nombre as company_nombre, c.id as contract,
        ${Object.entries(contractColumns).map(([name, sql]) => `${sql} as ${name}`).join(', ')},
        b.monto as monto_estimado, c.monto - b.monto as por_estimar, ${importes} as importes, b.neto, b.pagado, b.neto - b.pagado as saldo,
        ${advanceAfter('b.amortizacion')} as anticipo,
        m.retenido, d.documentos
      from ${requestRows(columns)}
      join company_revisions r on r.company_id = q.company
      join companies o on o.id = q.company
      cross join lateral ${keyedRow('id', { table: 'contracts', as: 'c', value: 'q.contract' })} c
      ${itsCounterparty}
      ${contractSums}
      ${sums}
      ${retained}
      ${documents}`
}

/** The rows of a statement. @throws {ValidationError} for more than {@link maxRows} */
function rowsOf ({ documentos }: Row): Row[] {
  if (documentos.length > maxRows) throw new ValidationError([{ field: nonFieldErrors, key: 'tooManyDocuments', values: { most: maxRows } }])
  return documentos
}

/** The figures of the PDF. @throws {ValidationError} for more than {@link maxRows} */
function drawingOf (report: Row, language: Language): Drawing {
  rowsOf(report)
  return { report: 'estado-de-cuenta', figures: report as EstadoDeCuentaFigures & Row, language }
}

/** The statement of account of a contract. */
export const estadoDeCuenta: Report = { name: 'estado-de-cuenta', query, resource: contracts, Row: AccountRow, rowsOf, drawingOf }
