import { keyedRow } from '../../database/turns/keyed-row.ts'
import { defineResource } from '../define.ts'
import { accumulated, accumulatedOfNew } from './accumulated.ts'
import { amounts } from './amounts.ts'
import { estimateConstraints } from './constraints.ts'
import { fields, series } from './fields.ts'
import { decidesLater, estimateChanges, estimateDemands, estimateRules, estimateStates } from './rules.ts'
import { columns, table } from './table.ts'
import { warnings } from './warnings.ts'

const itsContract = 'c.company_id = t.company_id and c.id = t.contract_id'

// One lookup per row. For a plain join the planner would read all contracts for the few rows of a page.
const folio = keyedRow('id', { table: 'contracts', as: 'c', select: 'c.folio', company: 't.company_id', value: 't.contract_id' })
const shown = `cross join lateral ${folio} c ${amounts}`

/** Estimates: progress billing on contracts. The database sets numbers, percentages and amounts. */
export const estimates = defineResource({
  name: 'estimates',
  title: 'Estimate',
  one: 'an estimate',
  many: 'estimates',
  about: 'Estimates: progress billing on contracts',
  spanish: { one: 'una estimación', many: 'estimaciones' },
  feed: 'always',
  fields,
  isLarge: true,
  search: { columns: ['descripcion', 'motivo_rechazo'], others: ['c.busqueda'], reference: 'contract' },
  joins: `${shown} ${accumulated}`,
  detailJoins: warnings,
  joinsOfNew: `${shown} ${accumulatedOfNew}`,
  filterJoins: `join contracts c on ${itsContract}`,
  totals: {
    of: [
      'monto', 'anticipo', 'deductivas', 'amortizacion', 'retencion', 'cargos_antes_iva', 'subtotal', 'iva', 'derechos',
      'cargos_despues_iva', 'neto', 'pagado', 'por_pagar'
    ],
    currency: 'contract.moneda',
    joins: amounts
  },
  columns,
  table,
  constraints: estimateConstraints,
  // New estimates are live. Sorted by start date, the condition is true for each estimate that overlaps an earlier one. No estimate follows
  // a finiquito.
  clashes: `n.periodo_inicio <= max(n.periodo_fin) over (
      partition by n.company_id, n.contract_id order by n.periodo_inicio, n.i rows between unbounded preceding and 1 preceding)
    or bool_or(n.tipo = 'finiquito') over (
      partition by n.company_id, n.contract_id order by n.i rows between unbounded preceding and 1 preceding)`,
  order: (next, current) => ({ group: next.contract, decides: decidesLater(next, current) }),
  kept: {
    key: 'estimateNotDeletable',
    name: 'estimates_numbers',
    sql: `t.estado <> 'borrador'
      or exists (select from estimates e where e.company_id = t.company_id and e.contract_id = t.contract_id
        and e.numero > t.numero and ${series('e')} = ${series('t')} offset 0)`
  },
  states: estimateStates,
  changeableWhile: estimateChanges,
  rules: estimateRules,
  demands: estimateDemands,
  routes: {
    exampleId: 6,
    update: {
      description: 'Amounts and period change only in `borrador`; otherwise the answer is 409. Changes to `autorizada`, ' +
        '`rechazada` and `pagada`, and from `autorizada` to `enviada`, need level 3 Director, 4 Corporativo or 6 Superusuario.'
    },
    remove: {
      description: 'Only the last estimate of a contract can be deleted, ' +
        'of `tipo` `anticipo` the last one of this kind, and only in `borrador`; otherwise the answer is 409.'
    }
  },
  examples: {
    create: {
      contract: 2,
      periodo_inicio: '2026-08-01',
      periodo_fin: '2026-08-31',
      descripcion: 'Estructura, niveles 5 y 6',
      monto: '1500000.00',
      deductivas: '0.00',
      external_id: 'ERP-4711'
    },
    patch: { monto: '5750000.00', deductivas: '18500.00' }
  }
})
