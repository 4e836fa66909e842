import { Type } from '@sinclair/typebox'
import { money } from '../../resources/declaration/decimals.ts'
import { numberedWithin } from '../../resources/declaration/derived.ts'
import { Field } from '../../resources/declaration/field.ts'
import { Amount, Choice } from '../../resources/declaration/schemas.ts'
import { boolean, choice, computed, day, instant, percentage, reference, text, uuid } from '../../resources/declaration/fields.ts'
import { contracts } from '../contracts/resource.ts'
import { amountOf, amounts } from './amounts.ts'
import { copiedFromContract, derived, lineCount } from './derived-fields.ts'

/** The kinds of estimates. */
const kinds = ['ordinaria', 'anticipo', 'finiquito'] as const

/** One of the kinds of estimates. */
export type EstimateKind = typeof kinds[number]

/** SQL of the series of numbers of an estimate: advance documents have their own numbers. */
export const series = (alias?: string) => `case ${alias === undefined ? '' : `${alias}.`}tipo when 'anticipo' then 1 else 0 end`

/** The states of an estimate. */
const states = ['borrador', 'enviada', 'autorizada', 'pagada', 'rechazada', 'cancelada'] as const

/** One of the states of an estimate. */
export type EstimateState = typeof states[number]

/** Warnings of an estimate, which refuse nothing. Those about its invoice come from attached files. */
const warnings = [
  'cantidad_excedida', 'convenio_sin_firma', 'anticipo_excedido', 'factura_distinta', 'factura_repetida', 'factura_total', 'factura_rfc',
  'factura_moneda'
] as const

/** SQL condition: an authorized estimate is not completely paid. The index `estimates_pending_index` has it. */
const isPending = "t.estado = 'autorizada' and t.neto <> t.pagado"

/** The fields of an estimate. */
export const fields = {
  contract: reference(contracts).required().fixed().orderable()
    .describe('Id of the contract.')
    .filterable('Id of the contract.', '1')
    .filterableThrough('contraparte', 'c', {
      contraparte: "Id or exact name of the contract's counterparty, or `null` for contracts without one. Digits count as an id.",
      contraparte_nombre: "Exact name of the contract's counterparty, even if it consists of digits or is `null`."
    }),
  contract_folio: computed(Type.String(), 'c.folio')
    .describe('Folio of the contract.', 'ON-2026-001'),
  tipo: choice(kinds).default('ordinaria').fixed()
    .describe(
      'Kind: `ordinaria` for the work of a period, `anticipo` for a delivery of the advance, ' +
        '`finiquito` for the settlement of the contract.'
    )
    .filterable('Estimates of this kind.', 'ordinaria'),
  numero: numberedWithin('contract', series()).keptBy('keep_estimate').orderable()
    .describe('Number of the estimate in its contract, from 1. Estimates of `tipo` `anticipo` have their own numbers.'),
  periodo_inicio: day().nullable().orderable()
    .describe('First day of the period. Send both `periodo_inicio` and `periodo_fin`, or neither.')
    .bound('periodo_desde', '>=', 'Estimates whose period starts on or after this day.'),
  periodo_fin: day().nullable().orderable()
    .describe('Last day of the period.', '2026-03-31')
    .bound('periodo_hasta', '<=', 'Estimates whose period ends on or before this day.'),
  descripcion: text(2000).default('')
    .describe('Work done.', 'Avance de marzo'),
  monto: money().signedInAnswers().default('0.00').orderable()
    .describe(
      'Amount of the work in the period, before deductions and tax. ' +
        'With `generadores`, it is the sum of the lines and cannot be given. Only a sum can be negative.',
      '1500.00'
    ),
  lineas: lineCount()
    .describe('Number of lines: rows of `conceptos/` for which the estimate has `generadores`.', 0),
  anticipo: money().default('0.00')
    .describe('Amount of the advance that is delivered. Above `0.00` with `tipo` `anticipo`, otherwise `0.00`.', '0.00'),
  deductivas: money().default('0.00')
    .describe('Deductions.', '0.00'),
  estado: choice(states).default('borrador').orderable()
    .describe(
      'State: `borrador` → `enviada` → `autorizada` → `pagada`; `pagada` → `autorizada` when a payment is deleted; ' +
        '`enviada` → `rechazada` → `borrador`; `enviada` → `borrador`; `autorizada` → `enviada`; `borrador` and `enviada` → `cancelada`. ' +
        'Only the estimate that was authorized last in its contract can return to `enviada`, ' +
        'if it has no payments and is not a `finiquito`.'
    )
    .filterable('Estimates in this state.'),
  autorizada_en: instant().nullable().readOnly()
    .describe(
      'Time of the authorization. Null if the estimate is not authorized, or if the time is unknown. ' +
        'It can be unknown only for an authorization from before Obra had this field.',
      null
    ),
  motivo_rechazo: text(2000).default('')
    .describe('Reason for the rejection. Required for `rechazada`.', ''),
  factura_uuid: uuid().nullable()
    .describe(
      'Fiscal folio (UUID) of the invoice (CFDI). Two estimates of the company cannot have the same one, ' +
        'unless one of the two is rejected or cancelled. If the field is null, an attached invoice sets it.',
      '6128396f-c09b-4ec6-8699-43c5f7e3b230'
    )
    .filterable('Estimates with this invoice, also rejected and cancelled ones.'),
  anticipo_porcentaje: copiedFromContract(percentage(), 'anticipo_porcentaje')
    .describe('Percentage of the contract when the estimate was created.', '10.00'),
  retencion_porcentaje: copiedFromContract(percentage(), 'retencion_porcentaje')
    .describe('Percentage of the contract when the estimate was created.', '5.00'),
  iva_porcentaje: copiedFromContract(percentage(), 'iva_porcentaje')
    .describe('Percentage of the contract when the estimate was created.'),
  derechos_porcentaje: copiedFromContract(percentage(), 'derechos_porcentaje')
    .describe('Percentage of the contract when the estimate was created.', '0.50'),
  retencion_antes_iva: copiedFromContract(boolean(), 'retencion_antes_iva')
    .describe('Whether the retention is taken before tax: the value of the contract when the estimate was created.'),
  amortizacion: derived('amortizacion')
    .describe(
      'Repayment of the advance. With `tipo` `ordinaria`, it is `max(0, min(advance left, round(W × anticipo %, 2)))`. ' +
        'W is `monto` minus the lines of change orders whose `con_anticipo` is `false`. With `finiquito`, it is the advance left. ' +
        'This amount is negative if estimates have repaid more than the delivered advance. With `anticipo`, it is `0.00`.',
      '150.00'
    ),
  retencion: derived('retencion')
    .describe('Retention: `round((monto − amortizacion) × retención %, 2)`. `0.00` with `tipo` `anticipo` and `finiquito`.', '67.50'),
  cargos_antes_iva: derived('cargos_antes_iva')
    .describe('Charges minus returns of `movimientos` before tax. Negative if more is returned.', '0.00'),
  subtotal: derived('subtotal')
    .describe(
      'Subtotal: `monto + anticipo − amortizacion − deductivas − cargos_antes_iva`, and minus `retencion` with `retencion_antes_iva`.',
      '1282.50'
    ),
  iva: derived('iva')
    .describe('Value added tax: `round(subtotal × IVA %, 2)`.', '205.20'),
  derechos: derived('derechos')
    .describe('Inspection fee: `round(monto × derechos %, 2)`.', '0.00'),
  cargos_despues_iva: derived('cargos_despues_iva')
    .describe('Charges minus returns of `movimientos` after tax. Negative if more is returned.', '0.00'),
  neto: derived('neto').orderable({ sql: amountOf('neto'), ownJoins: amounts })
    .describe(
      'Amount to pay: `subtotal + iva − derechos − cargos_despues_iva`, and minus `retencion` without `retencion_antes_iva`. ' +
        'Negative in a `finiquito` that the contractor owes.',
      '1487.70'
    ),
  pagado: new Field<string, never>({ ...money().signed().readOnly().spec, fallback: '0.00' })
    .describe('Sum of the payments (`pagos/`).', '743.85'),
  por_pagar: computed(Amount, 'coalesce(t.neto - t.pagado, 0.00)')
    .describe('Amount left to pay: `neto − pagado` of an authorized or paid estimate, otherwise `0.00`.', '743.85')
    .filterableIf('pendiente_pago', isPending, 'Authorized estimates with an amount left to pay (`true`), or all others (`false`).'),
  avisos: computed(Type.Array(Choice(warnings)), 'w.avisos').detail()
    .describe(
      'Warnings. `cantidad_excedida`: this estimate and the earlier authorized estimates together exceed the quantity of a concept. ' +
        '`convenio_sin_firma`: a line belongs to a change order that is not signed. ' +
        '`anticipo_excedido`: the authorized estimates have repaid more than the delivered advance; ' +
        'the finiquito gives the difference back. ' +
        '`factura_distinta`: invoices are attached, but none of them has the `factura_uuid` of the estimate. ' +
        '`factura_repetida`: another estimate has one of the attached invoices as its `factura_uuid`. `factura_total`, `factura_rfc`, ' +
        '`factura_moneda`: the total, the RFC or the currency of the attached invoice does not match the estimate and its contract.',
      []
    ),
  monto_acumulado: computed(Amount, "case t.tipo when 'anticipo' then 0.00 else s.monto_acumulado end")
    .describe(
      "Sum of the contract's estimates up to this `numero`, except rejected and cancelled ones. " +
        '`0.00` with `tipo` `anticipo`. Can have more digits than other amounts.',
      '4500.00'
    )
}
