import { defineResource } from '../define.ts'
import { keyedRow } from '../../database/turns/keyed-row.ts'
import { sumTriggers } from '../../database/schema/triggers.ts'
import { fields } from './fields.ts'
import { dimensions } from './quantity.ts'
import { completeMeasurement, measurementRules } from './rules.ts'

const areMeasured = dimensions.map(name => `${name} is not null`).join(' or ')
const product = `round(${dimensions.map(name => `coalesce(${name}, 1)`).join(' * ')}, 4)`

/** SQL over the estimate, `e`: an advance, and a finiquito of a settled contract, have no work. */
const withoutWork = "(e.tipo = 'anticipo' or (e.tipo = 'finiquito' and is_settled(e.company_id, e.contract_id)))"

/** SQL: the line, `l`, of the estimate and the concept. */
const line = `(
      select l.cantidad, l.importe from estimate_lines l
      where l.company_id = n.company_id and l.estimate_id = n.estimate_id and l.concepto_id = n.concepto_id offset 0)`

/**
 * SQL: with a quantity that is not too large by itself, the quantity or the amount of the line, or the amount of the estimate, would be.
 */
const isTooLarge = `abs(n.cantidad) < 1e14 and exists (
      select from ${keyedRow('id', { table: 'estimates', as: 'e', company: 'n.company_id', value: 'n.estimate_id' })} e
      cross join ${keyedRow('id', { table: 'conceptos', as: 'c', company: 'n.company_id', value: 'n.concepto_id' })} c
      left join lateral ${line} l on true
      cross join lateral (select coalesce(l.cantidad, 0) + n.cantidad - coalesce(o.cantidad, 0) as cantidad) s
      where abs(s.cantidad) >= 1e14 or abs(round(s.cantidad * c.precio_unitario, 2)) >= 1e16
        or abs(case e.lineas when 0 then 0 else e.monto end + round(s.cantidad * c.precio_unitario, 2) - coalesce(l.importe, 0)) >= 1e16)`

/** The measurements of estimates. Triggers sum them to one line for each concept of an estimate. */
export const generadores = defineResource({
  name: 'generadores',
  title: 'Generador',
  one: 'a measurement',
  many: 'measurements',
  about: 'Measurements (generadores) of estimates: pieces and dimensions on site',
  spanish: { one: 'un generador', many: 'generadores' },
  access: { read: 'read', write: 'edit', remove: 'edit' },
  fields,
  isLarge: true,
  search: { columns: ['ubicacion', 'observaciones'] },
  writableWhile: { estimate: 'estado', is: 'borrador', otherwise: 'estimateNotDraft' },
  table: {
    checks: [{
      name: 'generadores_cantidad_check', expression: `not (${areMeasured}) or cantidad = ${product}`, field: 'cantidad', key: 'notProduct'
    }],
    // For foreign keys that contain the contract.
    uniques: [{ name: 'generadores_contract_id_unique', properties: ['company', 'contract', 'id'] }],
    raises: {
      generadores_reduction: { field: 'concepto', key: 'reduction' },
      estimates_fixed: { conflict: 'estimateNotDraft' },
      estimates_no_work_check: { field: 'estimate', key: 'noWork' }
    },
    // After `keep_writable`, whose refusal comes first.
    triggers: sumTriggers('sum_lines')
  },
  constraints: [{
    field: 'estimate',
    key: 'noWork',
    only: 'new',
    sql: `exists ${keyedRow('id', { table: 'estimates', as: 'e', company: 'n.company_id', value: 'n.estimate_id', where: withoutWork })}`
  }, {
    field: 'concepto',
    key: 'reduction',
    dependsOn: ['concepto'],
    sql: `exists ${keyedRow('id', {
      table: 'conceptos', as: 'p', company: 'n.company_id', value: 'n.concepto_id', where: 'p.cantidad < 0'
    })}`
  }, {
    field: 'cantidad',
    key: 'sumTooLarge',
    name: 'generadores_cantidad_sum',
    raised: true,
    sql: isTooLarge
  }],
  complete: completeMeasurement,
  rules: measurementRules,
  routes: {
    update: { description: 'Only while the estimate is a `borrador`; otherwise the answer is 409.' },
    remove: { description: 'Only while the estimate is a `borrador`; otherwise the answer is 409.' }
  },
  examples: {
    create: {
      estimate: { external_id: 'ERP-4711' },
      concepto: { external_id: 'ERP-4711' },
      ubicacion: 'Ejes A-C',
      largo: '24.5000',
      ancho: '1.2000',
      alto: '1.8500',
      external_id: 'ERP-4711'
    },
    patch: { largo: '24.7500' }
  }
})
