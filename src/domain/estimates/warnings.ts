import { keyedRow } from '../../database/turns/keyed-row.ts'
import { livePrinted } from './constraints/conditions.ts'
import { amountOf } from './amounts.ts'

/** SQL: the states of change orders that are not signed. */
const unsigned = "array['borrador', 'enviado', 'autorizado', 'rechazado', 'cancelado']"

/** SQL: an invoice is attached to the estimate. Most estimates have none, and need no function call. */
const isInvoiceAttached = `exists ${keyedRow('estimate_id', {
  table: 'adjuntos', as: 'f', company: 't.company_id', value: 't.id', where: "f.cfdi_tipo = 'I'"
})}`

/** SQL: the warnings about the attached invoices. */
const ofInvoice = `invoice_warnings(
          t.company_id, t.contract_id, t.id, t.factura_uuid,
          ${amountOf('subtotal')}, ${amountOf('amortizacion')}, ${amountOf('iva')}, t.iva_porcentaje, ${amountOf('derechos')},
          case when t.retencion_antes_iva then 0.00 else ${amountOf('retencion')} end, ${amountOf('cargos_despues_iva')})`

/** SQL: the contract repaid more than its advance documents delivered, and no finiquito has given the difference back. */
const isOverpaid = `exists (
          select from contract_sums s
          where s.company_id = t.company_id and s.contract_id = t.contract_id
            and s.anticipos > 0 and s.amortizacion > s.anticipos and not s.liquidado offset 0)`

/** The warnings of an estimate, `w`. */
export const warnings = `cross join lateral (
      select array_remove(array[
        case when t.lineas > 0 and has_excess(t.company_id, t.contract_id, t.id, t.numero) then 'cantidad_excedida' end,
        case when t.lineas > 0 and has_line_of_convenio(t.company_id, t.id, ${unsigned}) then 'convenio_sin_firma' end,
        case when t.neto is null and t.tipo <> 'anticipo' and ${isOverpaid} then 'anticipo_excedido' end], null)
        || case when t.${livePrinted} and ${isInvoiceAttached} then ${ofInvoice} end as avisos) w`
