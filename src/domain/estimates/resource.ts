import { p } from '@mikro-orm/core'
import { derivedTriggers } from '../../database/schema/child-triggers.ts'
import { sumTriggers } from '../../database/schema/triggers.ts'
import { money } from '../../database/schema/types.ts'
import { keyedRow } from '../../database/turns/keyed-row.ts'
import { companies } from '../accounts/companies.ts'
import { defineResource } from '../define.ts'
import { accumulated, accumulatedOfNew } from './accumulated.ts'
import { amountOf, amounts } from './amounts.ts'
import { estimateConstraints } from './constraints.ts'
import { fields, series } from './fields.ts'
import { decidesLater, estimateChanges, estimateDemands, estimateRules, estimateStates } from './rules.ts'

/** The same condition as PostgreSQL prints it in indexes and constraints, for the comparison of schemas. */
const livePrinted = "estado <> all (array['rechazada', 'cancelada'])"

const itsContract = 'c.company_id = t.company_id and c.id = t.contract_id'

// One lookup per row. For a plain join the planner would read all contracts for the few rows of a page.
const folio = keyedRow('id', { table: 'contracts', as: 'c', select: 'c.folio', company: 't.company_id', value: 't.contract_id' })
const shown = `cross join lateral ${folio} c ${amounts}`

/** SQL: the states of change orders that are not signed. */
const unsigned = "array['borrador', 'enviado', 'autorizado', 'rechazado', 'cancelado']"

/** SQL: an invoice is attached to the estimate. Most estimates have none, and need no function call. */
const isInvoiceAttached = `exists ${keyedRow('estimate_id', {
  table: 'adjuntos', as: 'f', company: 't.company_id', value: 't.id', where: "f.cfdi_tipo = 'I'"
})}`

const ofInvoice = `invoice_warnings(
          t.company_id, t.contract_id, t.id, t.factura_uuid,
          ${amountOf('subtotal')}, ${amountOf('amortizacion')}, ${amountOf('iva')}, t.iva_porcentaje, ${amountOf('derechos')},
          case when t.retencion_antes_iva then 0.00 else ${amountOf('retencion')} end, ${amountOf('cargos_despues_iva')})`

/** SQL: the contract repaid more than its advance documents delivered, and no finiquito has given the difference back. */
const isOverpaid = `exists (
          select from contract_sums s
          where s.company_id = t.company_id and s.contract_id = t.contract_id
            and s.anticipos > 0 and s.amortizacion > s.anticipos and not s.liquidado offset 0)`

/** The warnings of an estimate, `w`. */
const warnings = `cross join lateral (
      select array_remove(array[
        case when t.lineas > 0 and has_excess(t.company_id, t.contract_id, t.id, t.numero) then 'cantidad_excedida' end,
        case when t.lineas > 0 and has_line_of_convenio(t.company_id, t.id, ${unsigned}) then 'convenio_sin_firma' end,
        case when t.neto is null and t.tipo <> 'anticipo' and ${isOverpaid} then 'anticipo_excedido' end], null)
        || case when t.${livePrinted} and ${isInvoiceAttached} then ${ofInvoice} end as avisos) w`

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
      'cargos_despues_iva', 'neto', 'pagado',
      'por_pagar'
    ],
    currency: 'contract.moneda',
    joins: amounts
  },
  columns: {
    company: p.manyToOne(companies.entity).mapToPk().foreignKeyName('estimates_company_id_fkey'),
    /** Position among the authorizations of the contract. Only the last one can be undone. */
    autorizacion: p.integer().strictNullable().hidden().lazy(),
    /** Amount of its lines of change orders without advance, which repay none. Only triggers write it. */
    sin_anticipo: p.type(money).$type<string>().default('0.00').hidden().lazy(),
    /**
     * Charges minus returns of its movements with an amount, before and after tax, and the number of those with a percentage. Only triggers
     * write them.
     */
    cargos_fijos_antes: p.type(money).$type<string>().default('0.00').hidden().lazy(),
    cargos_fijos_despues: p.type(money).$type<string>().default('0.00').hidden().lazy(),
    porcentajes: p.integer().default(0).hidden().lazy()
  },
  table: {
    checks: [
      {
        name: 'estimates_periodo_check',
        expression: '(periodo_inicio is null) = (periodo_fin is null) and periodo_inicio <= periodo_fin',
        field: 'periodo_fin',
        key: 'periodBackwards'
      },
      { name: 'estimates_monto_check', expression: 'monto >= 0 or lineas > 0' },
      { name: 'estimates_advance_check', expression: "(tipo = 'anticipo') = (anticipo > 0)", field: 'anticipo', key: 'invalidValue' },
      { name: 'estimates_no_work_check', expression: "tipo <> 'anticipo' or (monto = 0 and lineas = 0)", field: 'monto', key: 'noWork' },
      { name: 'estimates_settled_check', expression: "(estado in ('autorizada', 'pagada')) = (neto is not null)" },
      {
        name: 'estimates_pagado_check',
        expression: "pagado = 0 and (estado <> 'pagada' or neto = 0) or " +
          "neto is not null and pagado <> 0 and (estado = 'pagada') = (pagado = neto)"
      },
      { name: 'estimates_autorizacion_check', expression: '(autorizacion is null) = (neto is null)' },
      { name: 'estimates_porcentajes_check', expression: 'porcentajes <= 1000' },
      { name: 'estimates_cargos_check', expression: 'num_nonnulls(neto, cargos_antes_iva, derechos, cargos_despues_iva) in (0, 4)' },
      {
        name: 'estimates_periodo_exclusion',
        expression: `exclude using gist (
            int8range(contract_id, contract_id, '[]') with &&, daterange(periodo_inicio, periodo_fin, '[]') with &&)
          where (periodo_inicio is not null and ${livePrinted})`
      }
    ],
    uniques: [
      {
        name: 'estimates_waiting_finiquito',
        properties: ['company', 'contract'],
        where: "tipo = 'finiquito' and estado = any (array['borrador', 'enviada'])"
      },
      // For foreign keys that contain the contract.
      { name: 'estimates_contract_id_unique', properties: ['company', 'contract', 'id'] }
    ],
    indexes: [
      { name: 'estimates_advances_index', properties: ['company', 'contract', 'numero'], where: "tipo = 'anticipo'" },
      { name: 'estimates_factura_uuid_index', properties: ['company', 'factura_uuid'], where: 'factura_uuid is not null' },
      {
        name: 'estimates_authorized_index',
        properties: ['company', 'contract', 'autorizacion'],
        include: ['monto', 'amortizacion'],
        where: 'neto is not null'
      },
      { name: 'estimates_pending_index', properties: ['company', 'id'], where: "estado = 'autorizada' and neto <> pagado" },
      {
        name: 'estimates_periodo_index',
        properties: ['company', 'contract', 'periodo_inicio'],
        include: ['periodo_fin'],
        where: `${livePrinted} and periodo_inicio is not null`
      }
    ],
    raises: {
      estimates_identity: { field: 'contract', key: 'immutable' },
      estimates_finiquito_draft: { field: 'estado', key: 'invalidValue' }
    },
    triggers: {
      keep_estimate: { fires: 'before insert or update' },
      keep_estimate_authorized: { fires: 'before update', when: 'old.neto is null and new.neto is not null' },
      // An estimate without an amount to pay is the only one that becomes `pagada` without a payment.
      derive_pagado_insert: { fires: 'before insert', when: 'new.pagado <> 0', calls: 'refuse_derived', args: ['pagado'] },
      derive_pagado_update: {
        fires: 'before update', when: 'pg_trigger_depth() = 0 and new.pagado <> old.pagado', calls: 'refuse_derived', args: ['pagado']
      },
      keep_paid_insert: { fires: 'before insert', when: "new.estado = 'pagada'", calls: 'keep_paid' },
      keep_paid_update: {
        fires: 'before update', when: "new.pagado <> old.pagado or (new.estado = 'pagada' and old.estado <> 'pagada')", calls: 'keep_paid'
      },
      then_pay_insert: { fires: 'after insert', rows: 'new table as new_rows', calls: 'pay_rest' },
      then_pay_update: { fires: 'after update', rows: 'new table as new_rows', calls: 'pay_rest' },
      number_authorization_insert: { fires: 'before insert', when: 'new.neto is not null', calls: 'number_authorization' },
      number_authorization_update: {
        fires: 'before update', when: 'old.neto is null and new.neto is not null', calls: 'number_authorization'
      },
      undo_authorization: { fires: 'before update', when: "old.estado = 'autorizada' and new.estado = 'enviada'" },
      ...sumTriggers('keep_estimate_sums'),
      settle_contract: { fires: 'after update', when: "old.neto is null and new.neto is not null and new.tipo = 'finiquito'" },
      keep_estimate_numbers: { fires: 'after delete' },
      // After `keep_estimate_authorized`, which makes the row of the contract's sums.
      keep_lines_authorized: { fires: 'before update', when: 'old.neto is null and new.neto is not null' },
      keep_movements_authorized_insert: { fires: 'before insert', when: 'new.neto is not null', calls: 'keep_movements_authorized' },
      keep_movements_authorized_update: {
        fires: 'before update', when: 'old.neto is null and new.neto is not null', calls: 'keep_movements_authorized'
      },
      // After `undo_authorization`, which removes the amounts.
      undo_lines: { fires: 'before update', when: 'old.neto is not null and new.neto is null' },
      undo_movements: { fires: 'before update', when: 'old.neto is not null and new.neto is null' },
      // After all triggers that set or remove the amounts.
      when_authorized_insert: {
        fires: 'before insert', when: 'new.neto is not null or new.autorizada_en is not null', calls: 'keep_autorizada_en'
      },
      when_authorized_update: {
        fires: 'before update',
        when: '(new.neto is null) <> (old.neto is null) or new.autorizada_en is distinct from old.autorizada_en',
        calls: 'keep_autorizada_en'
      },
      keep_caratula_insert: { fires: 'after insert', when: 'new.neto is not null', calls: 'keep_caratula' },
      keep_caratula_update: { fires: 'after update', when: '(new.neto is null) <> (old.neto is null)', calls: 'keep_caratula' },
      ...derivedTriggers('monto', 'lineas')
    }
  },
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
