import { defineEntity, p } from '@mikro-orm/core'
import { sum } from '../../database/schema/types.ts'
import { companies } from '../accounts/companies.ts'
import { contracts } from '../contracts/resource.ts'
import { tenantWalls } from '../../resources/declaration/table.ts'

const company = () => p.manyToOne(companies.entity).mapToPk().primary().createForeignKeyConstraint(false)
const contract = () => p.manyToOne(contracts.entity).mapToPk().primary().createForeignKeyConstraint(false).deleteRule('cascade')
const money = () => p.type(sum).$type<string>()

/**
 * Sums of live estimates of a contract, by blocks of consecutive numbers: 32 at level 1, 1,024 at level 2, 32,768 at level 3. Only triggers
 * write it.
 */
export const EstimateSum = defineEntity({
  name: 'EstimateSum',
  tableName: 'estimate_sums',
  ...tenantWalls,
  properties: { company: company(), contract: contract(), level: p.smallint().primary(), block: p.integer().primary(), monto: money() }
})

/** Sums of all estimates and change orders of a contract. Only triggers write it. */
export const ContractSum = defineEntity({
  name: 'ContractSum',
  tableName: 'contract_sums',
  ...tenantWalls,
  properties: {
    company: company(),
    contract: contract(),
    /** Number of live estimates. */
    vivas: p.integer(),
    /** Sum of the live estimates. */
    monto: money(),
    /** Sums of the authorized and paid estimates. */
    autorizado: money(),
    amortizacion: money(),
    /** Sum of the authorized advance documents. */
    anticipos: money().default('0.00'),
    /** Whether a finiquito is authorized: the contract is settled. */
    liquidado: p.boolean().default(false),
    /** Number of change orders in `autorizado` or `firmado`. */
    acordados: p.integer().default(0),
    /** Number of signed change orders, and their sums of amounts, of amounts without advance, and of days. */
    firmados: p.integer().default(0),
    convenios: money().default('0.00'),
    convenios_sin_anticipo: money().default('0.00'),
    dias: p.integer().default(0),
    /** Sum of the change orders in `autorizado` with a positive amount: extra work that estimates can have before the signature. */
    extra: money().default('0.00'),
    /** Number and sum of the authorized and paid estimates with lines. */
    con_lineas: p.integer().default(0),
    monto_lineas: p.type(sum).$type<string>().default('0.00')
  }
})

/**
 * What authorized estimates of a contract have taken and not returned, by kind of movement. Retentions are `fondo_garantia`. Only triggers
 * write it.
 */
export const MovementSum = defineEntity({
  name: 'MovementSum',
  tableName: 'movement_sums',
  ...tenantWalls,
  properties: {
    company: company(), contract: contract(), tipo: p.string().length(16).primary(), antes_iva: p.boolean().primary(), tomado: money()
  }
})

/** Number and sum of a contract's direct subcontracts, by currency. Only triggers write it. */
export const SubcontractSum = defineEntity({
  name: 'SubcontractSum',
  tableName: 'subcontract_sums',
  ...tenantWalls,
  properties: { company: company(), parent: contract(), moneda: p.string().length(3).primary(), hijos: p.integer(), monto: money() }
})
