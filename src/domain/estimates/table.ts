import { p } from '@mikro-orm/core'
import { derivedTriggers } from '../../database/schema/child-triggers.ts'
import { sumTriggers } from '../../database/schema/triggers.ts'
import { money } from '../../database/schema/types.ts'
import type { TableDeclaration } from '../../resources/declaration/declaration.ts'
import { companies } from '../accounts/companies.ts'
import { livePrinted } from './constraints/conditions.ts'

/** Columns beside the fields. */
export const columns = {
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
}

/** Constraints, indexes and triggers of the table. */
export const table: TableDeclaration = {
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
}
