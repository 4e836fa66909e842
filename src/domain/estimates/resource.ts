import { p } from '@mikro-orm/core'
import { sumTriggers } from '../../database/schema/triggers.ts'
import { companies } from '../accounts/companies.ts'
import { defineResource } from '../define.ts'
import { accumulated, accumulatedOfNew } from './accumulated.ts'
import { estimateConstraints } from './constraints.ts'
import { fields } from './fields.ts'
import { estimateConflict, estimateDemands, estimateRules } from './rules.ts'

/** The same condition as PostgreSQL prints it in indexes and constraints, for the comparison of schemas. */
const livePrinted = "estado <> all (array['rechazada', 'cancelada'])"

/** The row of a trigger is a live estimate with an invoice. */
const isInvoiced = `new.factura_uuid is not null and new.${livePrinted}`

const itsContract = 'c.company_id = t.company_id and c.id = t.contract_id'

// One lookup per row. For a plain join the planner would read all contracts for the few rows of a page.
const folio = `(
      select c.folio from contracts c
      where c.company_id = t.company_id and c.id between t.contract_id and t.contract_id order by c.id limit 1)`
const percentages = 't.anticipo_porcentaje, t.retencion_porcentaje, t.iva_porcentaje'
const amounts = `cross join lateral ${folio} c
    cross join lateral estimate_amounts(t.company_id, t.contract_id, t.monto, t.deductivas, ${percentages}) a`

/** Estimates: progress billing on contracts. The database sets numbers, percentages and amounts (contract-rules.sql). */
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
  joins: `${amounts} ${accumulated}`,
  joinsOfNew: `${amounts} ${accumulatedOfNew}`,
  filterJoins: `join contracts c on ${itsContract}`,
  columns: { company: p.manyToOne(companies.entity).mapToPk().foreignKeyName('estimates_company_id_fkey') },
  table: {
    checks: [
      { name: 'estimates_periodo_check', expression: '(periodo_inicio is null) = (periodo_fin is null) and periodo_inicio <= periodo_fin', field: 'periodo_fin', key: 'periodBackwards' },
      { name: 'estimates_settled_check', expression: "(estado in ('autorizada', 'pagada')) = (neto is not null)" },
      {
        name: 'estimates_periodo_exclusion',
        expression: `exclude using gist (int8range(contract_id, contract_id, '[]') with &&, daterange(periodo_inicio, periodo_fin, '[]') with &&)
          where (periodo_inicio is not null and ${livePrinted})`
      }
    ],
    indexes: [
      { name: 'estimates_factura_uuid_index', properties: ['company', 'factura_uuid'], where: 'factura_uuid is not null' },
      { name: 'estimates_authorized_index', properties: ['company', 'contract'], include: ['monto', 'amortizacion'], where: 'neto is not null' },
      { name: 'estimates_periodo_index', properties: ['company', 'contract', 'periodo_inicio'], include: ['periodo_fin'], where: `${livePrinted} and periodo_inicio is not null` }
    ],
    raises: { estimates_fixed: { conflict: 'estimateNotDraft' }, estimates_identity: { field: 'contract', key: 'immutable' } },
    triggers: {
      keep_closed_insert: { fires: 'before insert', calls: 'keep_closed' },
      keep_closed_update: { fires: 'before update of estado', when: 'new.estado <> old.estado', calls: 'keep_closed' },
      keep_estimate: { fires: 'before insert or update' },
      keep_invoice_insert: { fires: 'after insert', when: isInvoiced, calls: 'keep_invoice' },
      keep_invoice_update: { fires: 'after update', when: `${isInvoiced} and (new.factura_uuid is distinct from old.factura_uuid or old.estado = any (array['rechazada', 'cancelada']))`, calls: 'keep_invoice' },
      keep_estimate_authorized: { fires: 'before update', when: 'old.neto is null and new.neto is not null' },
      ...sumTriggers('keep_estimate_sums'),
      keep_estimate_numbers: { fires: 'after delete' }
    }
  },
  constraints: estimateConstraints,
  // New estimates are live. Sorted by start date, the condition is true for each estimate that overlaps an earlier one.
  clashes: `q.periodo_inicio <= max(q.periodo_fin) over (
    partition by q.company, q.contract_id order by q.periodo_inicio, q.i rows between unbounded preceding and 1 preceding)`,
  // An authorization uses a part of the contract's amount and advance, which limits the next authorization.
  order: ({ contract, estado }, current) => ({ group: contract, decides: current !== undefined && estado === 'autorizada' && estado !== current.estado }),
  kept: {
    key: 'estimateNotDeletable',
    name: 'estimates_numbers',
    sql: `t.estado <> 'borrador'
      or exists (select from estimates e where e.company_id = t.company_id and e.contract_id = t.contract_id and e.numero > t.numero offset 0)`
  },
  rules: estimateRules,
  conflict: estimateConflict,
  demands: estimateDemands,
  routes: {
    update: { description: 'Amounts and period change only in `borrador`; otherwise the answer is 409. Changes to `autorizada`, `rechazada` and `pagada` need level 3 Director, 4 Corporativo or 6 Superusuario.' },
    remove: { description: 'Only the last estimate of a contract can be deleted, and only in `borrador`; otherwise the answer is 409.' }
  },
  examples: {
    create: {
      contract: 1,
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
