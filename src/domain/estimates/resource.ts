import { p } from '@mikro-orm/core'
import { Type } from '@sinclair/typebox'
import { companies } from '../accounts/companies.ts'
import { contracts } from '../contracts/resource.ts'
import { money as moneyType } from '../../database/schema/types.ts'
import { defineResource } from '../define.ts'
import { money } from '../../resources/declaration/decimals.ts'
import { Field } from '../../resources/declaration/field.ts'
import { choice, computed, day, percentage, reference, text, uuid } from '../../resources/declaration/fields.ts'
import { copied, numberedWithin } from '../../resources/declaration/derived.ts'
import { sumTriggers } from '../../database/schema/triggers.ts'
import { accumulated, accumulatedOfNew } from './accumulated.ts'
import { estimateConstraints } from './constraints.ts'
import { estimateConflict, estimateDemands, estimateRules } from './rules.ts'

/** The same condition as PostgreSQL prints it in indexes and constraints, for the comparison of schemas. */
const livePrinted = "estado <> all (array['rechazada', 'cancelada'])"

const itsContract = 'c.company_id = t.company_id and c.id = t.contract_id'

// One lookup per row. For a plain join the planner would read all contracts for the few rows of a page.
const amounts = `cross join lateral (select c.folio from contracts c where c.company_id = t.company_id and c.id between t.contract_id and t.contract_id order by c.id limit 1) c
    cross join lateral estimate_amounts(t.company_id, t.contract_id, t.monto, t.deductivas, t.anticipo_porcentaje, t.retencion_porcentaje, t.iva_porcentaje) a`

/** The states of an estimate. */
const states = ['borrador', 'enviada', 'autorizada', 'pagada', 'rechazada', 'cancelada'] as const

/** A percentage that the database copies from the contract when the estimate is created. */
function ofContract (field: string): Field<string> {
  return copied(percentage(), `contract.${field}`).keptBy('keep_estimate')
}

/** An amount that the database derives. It is stored when the estimate is authorized. */
function derived (name: string): Field<string> {
  return new Field<string>({ type: 'numeric', property: () => p.type(moneyType).$type<string>().nullable(), shown: Type.String() }).from(`coalesce(t.${name}, a.${name})`)
}

/** Estimates: progress billing on contracts. The database sets numbers, percentages and amounts (contract-rules.sql). */
export const estimates = defineResource({
  name: 'estimates',
  title: 'Estimate',
  one: 'an estimate',
  many: 'estimates',
  about: 'Estimates: progress billing on contracts',
  spanish: { one: 'una estimación', many: 'estimaciones' },
  feed: 'always',
  fields: {
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
  },
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
  order: ({ contract, estado }, current) => ({ group: contract, decides: current !== undefined && estado === 'autorizada' && estado !== current['estado'] }),
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
