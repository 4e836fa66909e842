import { Migration } from '@mikro-orm/migrations'

/** Triggers of earlier migrations by their tables, whose rules are declared now (decision 74). */
const triggers = {
  contracts: ['keep_agreed', 'keep_authorization', 'keep_settled', 'keep_currency'],
  estimates: ['keep_closed_update', 'keep_invoice_insert', 'keep_invoice_update', 'keep_unpaid'],
  convenios: [
    'keep_executed', 'keep_estimated', 'keep_fecha_autorizacion_insert', 'keep_fecha_autorizacion_update', 'keep_fecha_firma_insert', 'keep_fecha_firma_update'
  ],
  conceptos: ['keep_catalogue_unsettled'],
  pagos: ['keep_fecha_insert', 'keep_fecha_update']
}

/** Their functions. */
const functions = [
  'keep_agreed', 'keep_authorization', 'keep_settled', 'keep_currency', 'keep_closed', 'keep_invoice', 'keep_unpaid', 'keep_executed', 'keep_estimated',
  'keep_catalogue_unsettled', 'refuse_future'
]

/** Rules that are declared make their triggers, so those by hand go. */
export class Migration67HeldRules extends Migration {
  override up (): void {
    for (const [table, names] of Object.entries(triggers)) for (const name of names) this.addSql(`drop trigger if exists ${name} on ${table}`)
    this.addSql(`drop function if exists ${functions.map(name => `${name}()`).join(', ')}`)
  }
}
