import { defineResource } from '../define.ts'
import { exceedsTogether, paymentConstraints } from './constraints.ts'
import { fields } from './fields.ts'
import { paymentRules } from './rules.ts'

/** Payments of estimates. A payment that leaves nothing makes its estimate `pagada`, and its deletion undoes that. */
export const pagos = defineResource({
  name: 'pagos',
  title: 'Pago',
  one: 'a payment',
  many: 'payments',
  about: 'Payments of authorized estimates',
  spanish: { one: 'un pago', many: 'pagos' },
  access: { read: 'read', write: 'decide', remove: 'decide' },
  fields,
  search: { columns: ['referencia'] },
  table: {
    checks: [{ name: 'pagos_importe_check', expression: 'importe <> 0', field: 'importe', key: 'notDue' }],
    // For foreign keys that contain the contract.
    uniques: [{ name: 'pagos_contract_id_unique', properties: ['company', 'contract', 'id'] }],
    // The sum of an estimate's payments.
    indexes: [{ name: 'pagos_estimate_index', properties: ['company', 'estimate'], include: ['importe'] }],
    triggers: {
      settle_estimate_insert: { fires: 'after insert', rows: 'new table as new_rows', calls: 'settle_estimate' },
      settle_estimate_delete: { fires: 'after delete', rows: 'old table as old_rows', calls: 'settle_estimate' }
    }
  },
  constraints: paymentConstraints,
  clashes: exceedsTogether,
  rules: paymentRules,
  routes: { remove: { description: 'The estimate is then `autorizada`, with the amount left to pay.' } },
  examples: {
    create: { estimate: 2, importe: '500000.00', fecha: '2026-09-15', referencia: 'SPEI 0915', external_id: 'ERP-4711' },
    patch: { complemento_uuid: '0f4f2c2e-59f0-4c53-8c53-5d3f9d6a1b70' }
  }
})
