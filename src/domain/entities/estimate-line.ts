import { defineEntity, p } from '@mikro-orm/core'
import { ExactDecimal } from '../../database/schema/types.ts'
import { companies } from '../accounts/companies.ts'
import { conceptos } from '../conceptos/resource.ts'
import { estimates } from '../estimates/resource.ts'
import { tenantWalls } from '../../resources/declaration/table.ts'

const company = () => p.manyToOne(companies.entity).mapToPk().primary().createForeignKeyConstraint(false)
const quantity = (precision = 18) => p.type(new ExactDecimal(precision, 4)).$type<string>()
const amount = (precision = 18) => p.type(new ExactDecimal(precision)).$type<string>()

/**
 * The lines of estimates: one for each concept with `generadores`. Only triggers write it. The last four columns are set by the
 * authorization.
 */
export const EstimateLine = defineEntity({
  name: 'EstimateLine',
  tableName: 'estimate_lines',
  ...tenantWalls,
  indexes: [{ name: 'estimate_lines_concepto_index', properties: ['company', 'concepto', 'numero'] }],
  properties: {
    company: company(),
    estimate: p.manyToOne(estimates.entity).mapToPk().primary().createForeignKeyConstraint(false).deleteRule('cascade'),
    concepto: p.manyToOne(conceptos.entity).mapToPk().primary().createForeignKeyConstraint(false).deleteRule('cascade'),
    /** Number of the estimate in its contract. */
    numero: p.integer(),
    /** Number of `generadores`, and the sum of their quantities. */
    generadores: p.integer(),
    cantidad: quantity(),
    precio_unitario: p.type(new ExactDecimal(18, 6)).$type<string>(),
    /** Whether the line repays the advance: not if its change order has none. */
    con_anticipo: p.boolean().default(true),
    /** Rounded once per line. */
    importe: amount().generated('(round(cantidad * precio_unitario, 2)) stored'),
    /** Quantity and amount of the concept in authorized estimates with lower numbers. */
    anterior: quantity(38).nullable(),
    importe_anterior: amount(38).nullable(),
    /** Quantity in force of all concepts with the same code, and how much this estimate and the earlier ones are above it. */
    vigente: quantity(38).nullable(),
    excedente: quantity(38).nullable()
  }
})

/** Quantity and amount of a concept in all authorized estimates. Only triggers write it. */
export const ConceptoSum = defineEntity({
  name: 'ConceptoSum',
  tableName: 'concepto_sums',
  ...tenantWalls,
  properties: {
    company: company(),
    concepto: p.manyToOne(conceptos.entity).mapToPk().primary().createForeignKeyConstraint(false).deleteRule('cascade'),
    cantidad: quantity(38),
    importe: amount(38)
  }
})
