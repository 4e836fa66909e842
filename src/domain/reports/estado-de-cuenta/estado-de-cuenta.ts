import type { Row } from '../../../database/connection/sql.ts'
import { byIndex } from '../../../database/by-index.ts'
import { keyedRow } from '../../../database/turns/keyed-row.ts'
import { requestRows, type BatchQuery, idType } from '../../../database/turns/batch-requests.ts'
import { nonFieldErrors, ValidationError } from '../../../http/errors.ts'
import type { Language } from '../../../http/messages.ts'
import { contracts } from '../../contracts/resource.ts'
import type { MovementKind } from '../../movimientos/fields.ts'
import { amountNames } from '../amounts.ts'
import { contractColumns } from '../contract-facts.ts'
import { decimals, object } from '../json.ts'
import type { Drawing } from '../drawing.ts'
import type { Report } from '../report.ts'
import { AccountRow, maxRows, retainedKinds, takingNames, type EstadoDeCuentaFigures, type Taking } from './schemas.ts'

const columns = [['contract', idType]] as const

/** The kinds of money that documents take, with the movements that belong to them and the amount of the estimate. */
const takings = {
  retenido: { kinds: retainedKinds, amount: 'e.retencion' },
  penas: { kinds: ['pena'], amount: '0.00' },
  deducciones: { kinds: ['deductiva'], amount: 'e.deductivas' },
  impuestos: { kinds: ['impuesto'], amount: 'e.derechos' },
  otros: { kinds: ['otro'], amount: '0.00' }
} satisfies Record<Taking, { kinds: readonly MovementKind[], amount: string }>

const ofKinds = (kinds: readonly string[]) => `m.tipo = any (array[${kinds.map(kind => `'${kind}'`).join(', ')}])`

const taken = Object.entries(takings).map(([name, { kinds, amount }]) => (
  `${amount} + coalesce(sum(m.importe) filter (where ${ofKinds(kinds)}), 0.00) as ${name}`)).join(', ')

/**
 * The authorized estimates of the contract `c`, with what they have taken. `fecha` is the day of the authorization. If it is not known, the
 * end of the period or the day of the creation gives the document its place, `dia`.
 */
const documents = byIndex(`
          select e.*, company_day(e.company_id, e.autorizada_en) as fecha,
            coalesce(company_day(e.company_id, e.autorizada_en), e.periodo_fin, company_day(e.company_id, e.created_at)) as dia, m.*
          from (
            select e.* from estimates e where e.company_id = c.company_id and e.contract_id = by_index(c.id) and e.neto is not null) e
          cross join lateral (
            select ${taken}
            from (
              select m.tipo, case m.sentido when 'abono' then -m.importe else m.importe end as importe from movimientos m
              where m.company_id = e.company_id and m.estimate_id = by_index(e.id)) m) m`)

/**
 * Documents on the day of their authorization, and payments on their own day, after the documents of that day. One without a day follows
 * its document.
 */
const entries = byIndex(`
          select e.tipo, e.id, e.id as estimate, e.numero, e.fecha, coalesce(e.factura_uuid::text, '') as referencia, e.neto as cargo,
            null::numeric as abono, ${takingNames.map(name => `e.${name}`).join(', ')}, e.dia, 0 as place, e.autorizacion, 0 as after
          from documents e
          union all
          select 'pago', p.id, e.id, e.numero, p.fecha, p.referencia, null, p.importe, ${takingNames.map(() => 'null').join(', ')},
            coalesce(p.fecha, e.dia), case when p.fecha is null then 0 else 1 end, e.autorizacion, 1
          from documents e
          cross join lateral (
            select p.* from pagos p where p.company_id = c.company_id and p.estimate_id = by_index(e.id)) p`)

const shown = {
  tipo: 'x.tipo',
  id: 'x.id',
  estimate: 'x.estimate',
  numero: 'x.numero',
  fecha: 'x.fecha',
  referencia: 'x.referencia',
  cargo: 'x.cargo::text',
  abono: 'x.abono::text',
  saldo: 'x.saldo::text',
  ...Object.fromEntries(takingNames.map(name => [name, `x.${name}::text`]))
}

const order = 'x.dia, x.place, x.autorizacion, x.after, x.id'

const sums = [...amountNames, 'pagado', ...takingNames]

/** The sums of the documents, `b`, and their rows with the payments, in the order of time. */
const account = `cross join lateral (
        with documents as materialized (${documents})
        select b.*, (
          select coalesce(json_agg(${object(shown)} order by ${order}), '[]')
          from (
            select x.*, sum(coalesce(x.cargo, 0.00) - coalesce(x.abono, 0.00)) over (order by ${order}) as saldo
            from (${entries}) x order by ${order} limit ${maxRows + 1}) x) as documentos
        from (select ${sums.map(name => `coalesce(sum(e.${name}), 0.00) as ${name}`).join(', ')} from documents e) b) b`

const importes = decimals(Object.fromEntries(amountNames.map(name => [name, `b.${name}`])))

const movement = object({ tipo: 'm.tipo', antes_iva: 'm.antes_iva', importe: 'm.tomado::text' })

const retained = `cross join lateral (
        select coalesce(json_agg(${movement} order by m.tipo, m.antes_iva), '[]') as retenido
        from movement_sums m
        where m.company_id = c.company_id and m.contract_id = c.id and m.tomado <> 0 and ${ofKinds(takings.retenido.kinds)}) m`

const others = takingNames.filter(name => name !== 'retenido')

const query: BatchQuery = {
  name: 'estado de cuenta',
  slow: true,
  columns,
  text: `
      select q.i, r.revision, r.stamp, c.company_id as company, o.nombre as company_nombre, c.id as contract, f.*,
        b.monto as monto_estimado, c.monto - b.monto as por_estimar, ${importes} as importes, b.neto, b.pagado, b.neto - b.pagado as saldo,
        advance_facts(
          coalesce(s.anticipos, 0.00), round((c.monto - coalesce(s.convenios_sin_anticipo, 0.00)) * c.anticipo_porcentaje * 0.01, 2),
          coalesce(s.liquidado, false), b.amortizacion) as anticipo,
        m.retenido, ${others.map(name => `b.${name}`).join(', ')}, b.documentos
      from ${requestRows(columns)}
      join company_revisions r on r.company_id = q.company
      join companies o on o.id = q.company
      cross join lateral ${keyedRow('id', { table: 'contracts', as: 'c', value: 'q.contract' })} c
      cross join lateral json_to_record(contract_facts(c.company_id, c.id)) as f (${contractColumns})
      left join contract_sums s on s.company_id = c.company_id and s.contract_id = c.id
      ${account}
      ${retained}`
}

/** The rows of a statement. @throws {ValidationError} for more than {@link maxRows} */
function rowsOf ({ documentos }: Row): Row[] {
  if (documentos.length > maxRows) {
    throw new ValidationError([{ field: nonFieldErrors, key: 'tooManyDocuments', values: { most: maxRows } }])
  }
  return documentos
}

/** The figures of the PDF. @throws {ValidationError} for more than {@link maxRows} */
function drawingOf (report: Row, language: Language): Drawing {
  rowsOf(report)
  const figures = report as EstadoDeCuentaFigures & Row // the columns of its query
  return { report: 'estado-de-cuenta', figures, language }
}

/** The statement of account of a contract. */
export const estadoDeCuenta: Report = { name: 'estado-de-cuenta', query, resource: contracts, Row: AccountRow, rowsOf, drawingOf }
