import { p } from '@mikro-orm/core'
import { Type } from '@sinclair/typebox'
import { money as moneyType } from '../../database/schema/types.ts'
import { money } from '../../resources/declaration/decimals.ts'
import { copied, numberedWithin } from '../../resources/declaration/derived.ts'
import { Field } from '../../resources/declaration/field.ts'
import { choice, computed, day, percentage, reference, text, uuid } from '../../resources/declaration/fields.ts'
import { contracts } from '../contracts/resource.ts'

/** The states of an estimate. */
const states = ['borrador', 'enviada', 'autorizada', 'pagada', 'rechazada', 'cancelada'] as const

/** A percentage that the database copies from the contract when the estimate is created. */
function ofContract<const N extends string> (field: N): Field<string, never, `contract.${N}`> {
  return copied(percentage(), `contract.${field}`).keptBy('keep_estimate')
}

/** An amount that the database derives. It is stored when the estimate is authorized. */
function derived (name: string): Field<string, never> {
  const property = () => p.type(moneyType).$type<string>().nullable()
  return new Field<string, never>({ type: 'numeric', property, shown: Type.String() }).from(`coalesce(t.${name}, a.${name})`)
}

/** The fields of an estimate. */
export const fields = {
  contract: reference(contracts).required().fixed().orderable()
    .describe('Id of the contract.')
    .filterable('Id of the contract.', '1'),
  contract_folio: computed(Type.String(), 'c.folio')
    .describe('Folio of the contract.', 'ON-2026-001'),
  numero: numberedWithin('contract').keptBy('keep_estimate').orderable()
    .describe('Number of the estimate in its contract, from 1.'),
  periodo_inicio: day().nullable().orderable()
    .describe('First day of the period. Send both `periodo_inicio` and `periodo_fin`, or neither.')
    .bound('periodo_desde', '>=', 'Estimates whose period starts on or after this day.'),
  periodo_fin: day().nullable().orderable()
    .describe('Last day of the period.', '2026-03-31')
    .bound('periodo_hasta', '<=', 'Estimates whose period ends on or before this day.'),
  descripcion: text(2000).default('')
    .describe('Work done.', 'Avance de marzo'),
  monto: money().default('0.00').orderable()
    .describe('Amount of the work in the period, before deductions and tax.'),
  deductivas: money().default('0.00')
    .describe('Deductions.', '0.00'),
  estado: choice(states).default('borrador').orderable()
    .describe('State: `borrador` → `enviada` → `autorizada` → `pagada`; `enviada` → `rechazada` → `borrador`; `enviada` → `borrador`; `borrador` and `enviada` → `cancelada`.')
    .filterable('Estimates in this state.'),
  motivo_rechazo: text(2000).default('')
    .describe('Reason for the rejection. Required for `rechazada`.', ''),
  factura_uuid: uuid().nullable()
    .describe('Fiscal folio (UUID) of the invoice (CFDI). Only one estimate of the company that is neither rejected nor cancelled can have it.', '6128396f-c09b-4ec6-8699-43c5f7e3b230')
    .filterable('Estimates with this invoice, also rejected and cancelled ones.'),
  anticipo_porcentaje: ofContract('anticipo_porcentaje')
    .describe('Percentage of the contract when the estimate was created.', '10.00'),
  retencion_porcentaje: ofContract('retencion_porcentaje')
    .describe('Percentage of the contract when the estimate was created.', '5.00'),
  iva_porcentaje: ofContract('iva_porcentaje')
    .describe('Percentage of the contract when the estimate was created.'),
  amortizacion: derived('amortizacion')
    .describe('Repayment of the advance: `min(advance left, round(monto × anticipo %, 2))`.', '150.00'),
  retencion: derived('retencion')
    .describe('Retention: `round((monto − amortizacion) × retención %, 2)`.', '67.50'),
  subtotal: derived('subtotal')
    .describe('Subtotal: `monto − amortizacion − retencion − deductivas`.', '1282.50'),
  iva: derived('iva')
    .describe('Value added tax: `round(subtotal × IVA %, 2)`.', '205.20'),
  neto: derived('neto')
    .describe('Amount to pay: `subtotal + iva`.', '1487.70'),
  monto_acumulado: computed(Type.String(), 's.monto_acumulado')
    .describe("Sum of the contract's estimates up to this `numero`, except rejected and cancelled ones. Can have more digits than other amounts.", '4500.00')
}
