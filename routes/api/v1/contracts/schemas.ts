import { Type } from '@sinclair/typebox'
import { contracts } from '../../../../src/contracts/resource.ts'
import { contractStates, currencies } from '../../../../src/entities/contract.ts'
import { largestId } from '../../../../src/resources/conditions.ts'
import { orderings } from '../../../../src/resources/ordering.ts'
import {
  AccountId, Body, Choice, Day, DayInput, Id, Money, MoneyInput, Nullable, Past, Percentage, PercentageInput, ReferenceInput, Text
} from '../../../../src/schemas/fields.ts'
import { ListQuery, RecordQuery } from '../../../../src/schemas/list.ts'

/** A contract in a list. */
export const ContractItem = Type.Object({
  id: Id,
  company: Type.Integer({ ...AccountId, description: 'the company that the contract belongs to' }),
  folio: Type.String({ description: 'contract reference code, unique in the company', examples: ['ON-2026-001'] }),
  contraparte: Nullable(Type.String(), { description: 'display name of the counterparty', examples: ['Cimentaciones Profundas del Bajío, S.A. de C.V.'] }),
  contraparte_id: Nullable(Id, { description: 'id of the counterparty' }),
  monto: Type.String({ ...Money, description: 'amount of the contract' }),
  parent: Nullable(Id, { description: 'the contract that this one is a subcontract of', examples: [1] }),
  moneda: Choice(currencies, { description: 'currency of its amounts' }),
  fecha_inicio: Nullable(Day, { description: 'first day' }),
  fecha_fin: Nullable(Day, { description: 'last day, not before the first', examples: ['2026-12-31'] }),
  anticipo_porcentaje: Type.String({ ...Percentage, description: 'advance that was paid, in percent of the amount', examples: ['10.00'] }),
  retencion_porcentaje: Type.String({ ...Percentage, description: 'part of each estimate that is kept back, in percent', examples: ['5.00'] }),
  iva_porcentaje: Type.String({ ...Percentage, description: 'value added tax, in percent' }),
  estado: Choice(contractStates, { description: '`vigente` and `suspendido` change into each other and into `terminado` or `cancelado`, which are final' }),
  external_id: Nullable(Type.String(), { description: 'id of the record in another system, unique in the company', examples: ['ERP-4711'] }),
  ...Past
}, { title: 'ContractItem' })

/** Sums in currencies other than the contract's own, by currency. */
export const OtherCurrencies = Type.Object(
  Object.fromEntries(currencies.toSorted().map(currency => [currency, Type.Optional(Type.String())])),
  { additionalProperties: false, examples: [{ USD: '12000.00' }] })

/** A single contract. */
export const Contract = Type.Object({
  ...ContractItem.properties,
  descripcion: Type.String({ description: 'what is to be built', examples: ['Cimentación y estructura'] }),
  hijos: Type.Integer({ description: 'number of direct subcontracts', minimum: 0, examples: [2] }),
  monto_subcontratado: Type.String({ description: 'sum of the direct subcontracts in its own currency; wider than other amounts', examples: ['250000.00'] }),
  otras_monedas: Type.Unsafe<Record<string, string>>({ ...OtherCurrencies, description: 'sums of the direct subcontracts in other currencies' }),
  monto_estimado: Type.String({ description: 'sum of the authorized and paid estimates', examples: ['100000.00'] }),
  por_estimar: Type.String({ description: 'monto − monto_estimado', examples: ['150000.00'] })
}, { title: 'Contract' })

/** What a contract shows in a tree, and the single contract may show. */
const alsoShown = ['children', 'monto_total', 'otras_monedas']

const writable = {
  folio: Text({ minLength: 1, maxLength: 64, examples: ['ON-2026-117'] }),
  contraparte: Type.Unsafe<number | string | null>({ type: ['integer', 'string', 'null'], text: true, minLength: 1, maxLength: 200, references: true, minimum: 1, maximum: largestId, description: 'id or exact name of the counterparty', examples: ['Cimentaciones Profundas del Bajío, S.A. de C.V.'] }),
  monto: MoneyInput,
  parent: Nullable(ReferenceInput),
  descripcion: Text({ maxLength: 2000 }),
  moneda: Choice(currencies),
  fecha_inicio: Nullable(DayInput),
  fecha_fin: Nullable(DayInput),
  anticipo_porcentaje: PercentageInput,
  retencion_porcentaje: PercentageInput,
  iva_porcentaje: PercentageInput,
  estado: Choice(contractStates),
  external_id: Nullable(Text({ minLength: 1, maxLength: 128 }))
}

const { folio, ...optional } = writable

/** The body of POST and PUT. */
export const ContractBody = Body({ folio }, optional, Contract, {
  alsoShown,
  title: 'ContractBody',
  examples: [{
    folio: 'ON-2026-007',
    contraparte: 'Inmobiliaria Los Encinos, S.A. de C.V.',
    descripcion: 'Estacionamiento de tres niveles',
    monto: '12500000.00',
    moneda: 'MXN',
    fecha_inicio: '2026-03-01',
    fecha_fin: '2026-12-31',
    anticipo_porcentaje: '10.00',
    retencion_porcentaje: '5.00',
    iva_porcentaje: '16.00',
    external_id: 'ERP-4711'
  }]
})

/** The body of PATCH. */
export const ContractPatch = Body({}, writable, Contract, { alsoShown, title: 'ContractPatch', examples: [{ descripcion: 'Hospital general de 120 camas, primera etapa', fecha_fin: '2027-09-30' }] })

/** The query of the list. */
export const ContractQuery = ListQuery(Object.keys(ContractItem.properties), orderings(contracts), {
  folio: Type.String({ text: true, description: 'contracts of exactly that folio', examples: ['ON-2026-001'] }),
  contraparte: Type.String({ text: true, minLength: 1, description: 'id or exact name of the counterparty, or `null` for contracts without one; digits that can be an id are one', examples: ['Cimentaciones Profundas del Bajío, S.A. de C.V.'] }),
  contraparte_nombre: Type.String({ text: true, minLength: 1, description: 'exact name of the counterparty, also one of digits or `null`', examples: ['Cimentaciones Profundas del Bajío, S.A. de C.V.'] }),
  parent: Type.String({ digits: true, pattern: '^(null|[0-9]+)$', description: 'id of the parent contract, or `null` for main contracts', examples: ['null'] }),
  estado: Choice(contractStates, { description: 'contracts in that state' }),
  moneda: Choice(currencies, { description: 'contracts in that currency' }),
  monto_min: Type.Unsafe<string>({ ...MoneyInput, description: 'contracts of that amount or more' }),
  monto_max: Type.Unsafe<string>({ ...MoneyInput, description: 'contracts of that amount or less' }),
  external_id: Type.String({ text: true, description: 'the contract of exactly that external id', examples: ['ERP-4711'] })
})

/** The query of a single contract. */
export const ContractRecordQuery = RecordQuery(Object.keys(Contract.properties))
