import { Type } from '@sinclair/typebox'
import { estimateStates } from '../../../../src/entities/estimate.ts'
import { estimates } from '../../../../src/estimates/resource.ts'
import { orderings } from '../../../../src/resources/ordering.ts'
import {
  AccountId, Body, Choice, Day, DayInput, Id, Money, MoneyInput, Nullable, Past, Percentage, ReferenceInput, Text, UuidInput
} from '../../../../src/schemas/fields.ts'
import { ListQuery, RecordQuery } from '../../../../src/schemas/list.ts'

/** An estimate, in a list and by itself. */
export const Estimate = Type.Object({
  id: Id,
  company: Type.Integer({ ...AccountId, description: 'the company that the estimate belongs to' }),
  contract: Type.Integer({ ...Id, description: 'id of the contract' }),
  contract_folio: Type.String({ description: 'reference code of the contract', examples: ['ON-2026-001'] }),
  numero: Type.Integer({ minimum: 1, description: 'place among the estimates of its contract: 1, 2, 3 …' }),
  periodo_inicio: Nullable(Day, { description: 'first day of the period; both ends are given, or neither' }),
  periodo_fin: Nullable(Day, { description: 'last day of the period', examples: ['2026-03-31'] }),
  descripcion: Type.String({ description: 'what was done', examples: ['Avance de marzo'] }),
  monto: Type.String({ ...Money, description: 'work of the period' }),
  deductivas: Type.String({ ...Money, description: 'what is deducted', examples: ['0.00'] }),
  estado: Choice(estimateStates, { description: '`borrador` → `enviada` → `autorizada` → `pagada`; `enviada` → `rechazada` → `borrador`; `enviada` → `borrador`; `borrador` and `enviada` → `cancelada`' }),
  motivo_rechazo: Type.String({ description: 'why it was rejected; required by `rechazada`', examples: [''] }),
  factura_uuid: Nullable(Type.String({ isUuid: true }), { description: 'fiscal folio of the invoice (CFDI)', examples: ['6128396f-c09b-4ec6-8699-43c5f7e3b230'] }),
  anticipo_porcentaje: Type.String({ ...Percentage, description: "the contract's when the estimate was made", examples: ['10.00'] }),
  retencion_porcentaje: Type.String({ ...Percentage, description: "the contract's when the estimate was made", examples: ['5.00'] }),
  iva_porcentaje: Type.String({ ...Percentage, description: "the contract's when the estimate was made" }),
  amortizacion: Type.String({ description: 'part of the advance that is paid back: min(advance left, round(monto × anticipo %, 2))', examples: ['150.00'] }),
  retencion: Type.String({ description: 'round((monto − amortizacion) × retención %, 2)', examples: ['67.50'] }),
  subtotal: Type.String({ description: 'monto − amortizacion − retencion − deductivas', examples: ['1282.50'] }),
  iva: Type.String({ description: 'round(subtotal × IVA %, 2)', examples: ['205.20'] }),
  neto: Type.String({ description: 'subtotal + iva', examples: ['1487.70'] }),
  monto_acumulado: Type.String({ description: "sum of the contract's estimates up to this numero, without rejected and cancelled ones; wider than other amounts", examples: ['4500.00'] }),
  external_id: Nullable(Type.String(), { description: 'id of the record in another system, unique in the company', examples: ['ERP-4711'] }),
  ...Past
}, { title: 'Estimate' })

const writable = {
  contract: ReferenceInput,
  periodo_inicio: Nullable(DayInput),
  periodo_fin: Nullable(DayInput),
  descripcion: Text({ maxLength: 2000 }),
  monto: MoneyInput,
  deductivas: MoneyInput,
  estado: Choice(estimateStates),
  motivo_rechazo: Text({ maxLength: 2000 }),
  factura_uuid: Nullable(UuidInput),
  external_id: Nullable(Text({ minLength: 1, maxLength: 128 }))
}

const { contract, ...optional } = writable

/** The body of POST and PUT. */
export const EstimateBody = Body({ contract }, optional, Estimate, {
  title: 'EstimateBody',
  examples: [{
    contract: 1,
    periodo_inicio: '2026-08-01',
    periodo_fin: '2026-08-31',
    descripcion: 'Estructura, niveles 5 y 6',
    monto: '1500000.00',
    deductivas: '0.00',
    external_id: 'ERP-4711'
  }]
})

/** The body of PATCH. */
export const EstimatePatch = Body({}, writable, Estimate, { title: 'EstimatePatch', examples: [{ monto: '5750000.00', deductivas: '18500.00' }] })

const fields = Object.keys(Estimate.properties)

/** The query of the list. */
export const EstimateQuery = ListQuery(fields, orderings(estimates), {
  contract: Type.String({ digits: true, pattern: '^[0-9]+$', description: 'id of the contract', examples: ['1'] }),
  estado: Choice(estimateStates, { description: 'estimates in that state' }),
  periodo_desde: Type.String({ isDate: true, description: 'estimates whose period begins that day or later' }),
  periodo_hasta: Type.String({ isDate: true, description: 'estimates whose period ends that day or earlier' }),
  external_id: Type.String({ text: true, description: 'the estimate of exactly that external id', examples: ['ERP-4711'] })
})

/** The query of a single estimate. */
export const EstimateRecordQuery = RecordQuery(fields)
