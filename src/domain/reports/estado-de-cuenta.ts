import { Type } from '@sinclair/typebox'
import type { Row } from '../../database/connection/sql.ts'
import { keyedRow, unsorted } from '../../database/turns/keyed-row.ts'
import { requestRows, type BatchQuery } from '../../database/turns/requests.ts'
import { nonFieldErrors, ValidationError } from '../../http/errors.ts'
import { idType } from '../../resources/declaration/conditions.ts'
import { AccountId, Amount, Choice, Day, Id, Nullable } from '../../resources/declaration/schemas.ts'
import { contracts } from '../contracts/resource.ts'
import { movimientos } from '../movimientos/resource.ts'
import { Advance, advanceAfter, contractSums } from './anticipo.ts'
import { object } from './json.ts'
import type { Report } from './report.ts'

/** Maximum rows of a statement: documents and payments. */
const maxRows = 2000

const Importe = (description: string, example: string) => Type.String({ ...Amount, description, examples: [example] })

const Entry = Type.Object({
  tipo: Choice(['ordinaria', 'anticipo', 'finiquito', 'pago'], { description: '`tipo` of an authorized estimate, or `pago` for a payment of it.', examples: ['ordinaria'] }),
  id: Type.Integer({ ...Id, description: 'Id of the estimate or the payment.' }),
  estimate: Type.Integer({ ...Id, description: 'Id of the estimate.' }),
  numero: Type.Integer({ minimum: 1, description: 'Number of the estimate.', examples: [1] }),
  fecha: Nullable(Day, { description: 'Last day of the period, or day of the payment.' }),
  referencia: Type.String({ description: 'Fiscal folio of the invoice, or reference of the payment.', examples: ['SPEI 0415'] }),
  cargo: Nullable(Amount, { description: '`neto` of the estimate.', examples: ['1487.70'] }),
  abono: Nullable(Amount, { description: '`importe` of the payment.', examples: [null] }),
  saldo: Importe('Balance after this row: sum of `cargo` minus sum of `abono`.', '1487.70')
}, { title: 'EstadoDeCuentaRow' })

const { tipo, antes_iva: beforeTax } = movimientos.schemas.record.properties
const { folio, contraparte, moneda, monto } = contracts.schemas.record.properties

/** The statement of account of a contract. */
export const EstadoDeCuenta = Type.Object({
  company: AccountId,
  contract: Id,
  folio,
  contraparte,
  moneda,
  monto,
  monto_estimado: Importe('Sum of `monto` of the authorized estimates.', '277921.07'),
  neto: Importe('Sum of `neto` of the authorized estimates.', '214388.32'),
  pagado: Importe('Sum of their payments.', '31995.55'),
  saldo: Importe('`neto − pagado`.', '182392.77'),
  anticipo: Advance,
  retenido: Type.Array(Type.Object({
    tipo,
    antes_iva: beforeTax,
    importe: Importe('Charges minus returns of authorized estimates.', '9727.23')
  }), { description: 'What authorized estimates have taken and not returned, by `tipo` and `antes_iva`. `fondo_garantia` has their `retencion` too.' }),
  documentos: Type.Array(Entry, { description: `Estimates and payments, at most ${maxRows}.` })
}, { title: 'EstadoDeCuenta' })

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
        select coalesce(sum(e.monto), 0.00) as monto, coalesce(sum(e.neto), 0.00) as neto, coalesce(sum(e.pagado), 0.00) as pagado,
          coalesce(sum(e.amortizacion), 0.00) as amortizacion
        from ${authorized}) b`

const retained = `cross join lateral (
        select coalesce(json_agg(${object({ tipo: 'm.tipo', antes_iva: 'm.antes_iva', importe: 'm.tomado::text' })} order by m.tipo, m.antes_iva), '[]') as retenido
        from movement_sums m where m.company_id = c.company_id and m.contract_id = c.id and m.tomado <> 0) m`

const query: BatchQuery = {
  name: 'estado de cuenta',
  slow: true,
  columns,
  text: `
      select q.i, r.revision, r.stamp, c.company_id as company, c.id as contract, c.folio, p.nombre as contraparte, c.moneda, c.monto, b.monto as monto_estimado, b.neto, b.pagado,
        b.neto - b.pagado as saldo,
        ${advanceAfter('b.amortizacion')} as anticipo,
        m.retenido, d.documentos
      from ${requestRows(columns)}
      join company_revisions r on r.company_id = q.company
      cross join lateral ${keyedRow('id', { table: 'contracts', as: 'c', value: 'q.contract' })} c
      left join lateral ${keyedRow('id', { table: 'contrapartes', as: 'p', company: 'c.company_id', value: 'c.contraparte_id' })} p on true
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

/** The statement of account of a contract. */
export const estadoDeCuenta: Report = { name: 'estado-de-cuenta', query, resource: contracts, Row: Entry, rowsOf }
