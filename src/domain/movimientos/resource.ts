import { sumTriggers } from '../../database/schema/triggers.ts'
import { defineResource } from '../define.ts'
import { movementConstraints, returnsTogether } from './constraints.ts'
import { fields } from './fields.ts'
import { completeMovement, movementRules } from './rules.ts'

/** SQL over the row of a trigger: it has an amount and a percentage, or neither of them. */
const isNotOne = 'num_nonnulls(new.importe, new.porcentaje) <> 1'

/** SQL over the row of a trigger: the amount or the percentage changes. */
const isOther = '(new.importe is distinct from old.importe or new.porcentaje is distinct from old.porcentaje)'

/** SQL over the row of a trigger: a percentage that no movement can have. */
const isOutside = '(new.porcentaje <= 0 or new.porcentaje > 100)'

/** The amount of a percentage, until the authorization stores it. */
const amounts = `left join lateral (
      select movement_amount(t.company_id, t.estimate_id, t.base, t.porcentaje) as importe where t.importe is null offset 0) x on true`

/** Movements: charges and returns of an estimate. Triggers add them to the estimate and to what its contract has taken. */
export const movimientos = defineResource({
  name: 'movimientos',
  title: 'Movimiento',
  one: 'a movement',
  many: 'movements',
  about: 'Movements of estimates: charges, retentions, penalties and their returns',
  spanish: { one: 'un movimiento', many: 'movimientos' },
  access: { read: 'read', write: 'edit', remove: 'edit' },
  fields,
  joins: amounts,
  search: { columns: ['motivo'] },
  writableWhile: { estimate: 'estado', is: 'borrador', otherwise: 'estimateNotDraft' },
  table: {
    checks: [
      { name: 'movimientos_amount_check', expression: 'importe > 0 or porcentaje is not null', field: 'importe', key: 'exactlyOne' },
      { name: 'movimientos_tax_check', expression: "not antes_iva or base = 'monto'", field: 'base', key: 'baseAfterTax' }
    ],
    raises: {
      movimientos_one: { field: 'importe', key: 'exactlyOne' },
      movimientos_percentage: { field: 'porcentaje', key: 'maxValue', values: { max_value: 100 } },
      estimates_fixed: { conflict: 'estimateNotDraft' }
    },
    triggers: {
      keep_one_insert: { fires: 'before insert', when: isNotOne, calls: 'refuse_amounts' },
      // The authorization stores the amount of a percentage by a trigger, which has a depth.
      keep_one_update: {
        fires: 'before update',
        when: `pg_trigger_depth() = 0 and ${isOther} and ${isNotOne}`,
        calls: 'refuse_amounts'
      },
      keep_percentage_insert: { fires: 'before insert', when: isOutside, calls: 'refuse_percentage' },
      keep_percentage_update: {
        fires: 'before update', when: `new.porcentaje is distinct from old.porcentaje and ${isOutside}`, calls: 'refuse_percentage'
      },
      // After `keep_writable`, whose refusal comes first.
      ...sumTriggers('sum_movements')
    }
  },
  constraints: movementConstraints,
  clashes: returnsTogether,
  complete: completeMovement,
  rules: movementRules,
  routes: {
    update: { description: 'Only while the estimate is a `borrador`; otherwise the answer is 409.' },
    remove: { description: 'Only while the estimate is a `borrador`; otherwise the answer is 409.' }
  },
  examples: {
    create: {
      estimate: 6,
      tipo: 'pena',
      sentido: 'cargo',
      motivo: 'Atraso de 12 días en la losa del nivel 3',
      antes_iva: false,
      importe: '6200.00',
      external_id: 'ERP-4711'
    },
    patch: { importe: '5800.00' }
  }
})
