import { Type } from '@sinclair/typebox'
import { contracts } from '../../../../src/contracts/resource.ts'
import { contractStates, currencies } from '../../../../src/entities/contract.ts'
import { largestId } from '../../../../src/resources/conditions.ts'
import { orderings } from '../../../../src/resources/ordering.ts'
import {
  Body, Choice, Day, DayInput, Id, Instant, Money, MoneyInput, Nullable, Percentage, PercentageInput, ReferenceInput, Text
} from '../../../../src/schemas/fields.ts'
import { ListQuery, RecordQuery } from '../../../../src/schemas/list.ts'

/** A contract in a list. */
export const ContractItem = Type.Object({
  id: Id,
  company: Id,
  folio: Type.String({ description: 'contract reference code, unique in the company' }),
  contraparte: Nullable(Type.String(), { description: 'display name of the counterparty' }),
  contraparte_id: Nullable(Id),
  monto: Money,
  parent: Nullable(Id, { description: 'the contract that this one is a subcontract of' }),
  moneda: Choice(currencies),
  fecha_inicio: Nullable(Day),
  fecha_fin: Nullable(Day),
  anticipo_porcentaje: Percentage,
  retencion_porcentaje: Percentage,
  iva_porcentaje: Percentage,
  estado: Choice(contractStates),
  external_id: Nullable(Type.String()),
  created_at: Instant,
  updated_at: Instant,
  version: Type.Integer()
}, { title: 'ContractItem' })

/** A single contract. */
export const Contract = Type.Object({
  ...ContractItem.properties,
  descripcion: Type.String(),
  hijos: Type.Integer({ description: 'number of direct subcontracts' }),
  monto_subcontratado: Type.String({ description: 'sum of the direct subcontracts; wider than other amounts', examples: ['250000.00'] }),
  monto_estimado: Type.String({ description: 'sum of the authorized and paid estimates', examples: ['100000.00'] }),
  por_estimar: Type.String({ description: 'monto − monto_estimado', examples: ['150000.00'] })
}, { title: 'Contract' })

const writable = {
  folio: Text({ minLength: 1, maxLength: 64 }),
  contraparte: Type.Unsafe<number | string | null>({ type: ['integer', 'string', 'null'], text: true, minLength: 1, references: true, minimum: 1, maximum: largestId, description: 'id or exact name of the counterparty' }),
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
export const ContractBody = Body({ folio }, optional, Contract, { title: 'ContractBody' })

/** The body of PATCH. */
export const ContractPatch = Body({}, writable, Contract, { title: 'ContractPatch' })

/** The query of the list. */
export const ContractQuery = ListQuery(Object.keys(ContractItem.properties), orderings(contracts), {
  folio: Type.String({ text: true }),
  contraparte: Type.String({ text: true, minLength: 1, description: 'id or exact name of the counterparty, or `null`' }),
  parent: Type.String({ pattern: '^(null|[0-9]+)$', description: 'id of the parent contract, or `null`' }),
  estado: Choice(contractStates),
  moneda: Choice(currencies),
  monto_min: MoneyInput,
  monto_max: MoneyInput,
  external_id: Type.String({ text: true })
})

/** The query of a single contract. */
export const ContractRecordQuery = RecordQuery(Object.keys(Contract.properties))
