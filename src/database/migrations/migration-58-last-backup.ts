import { Migration } from '@mikro-orm/migrations'
import { olderMessage } from './older.ts'
import { admitted, routinesOf, statementsOf, walls } from './sql.ts'

/** Tables with records of companies. */
const walled = [
  'contrapartes', 'contracts', 'contract_levels', 'contract_sums', 'subcontract_sums', 'convenios', 'conceptos', 'concepto_sums', 'programa',
  'estimates', 'estimate_sums', 'generadores', 'estimate_lines', 'movimientos', 'movement_sums', 'pagos', 'adjuntos', 'stored_files', 'uploads',
  'changes', 'purged_revisions', 'history', 'devices', 'mutations', 'device_refs', 'webhooks', 'webhook_deliveries', 'idempotency_keys'
]

const orNone = `company_id is null or ${admitted}`

/** The baseline: the tables that migrations 1 to 58 made together. Functions and triggers are loaded after the last migration. */
export class Migration58LastBackup extends Migration {
  override async up (): Promise<void> {
    const rows = await this.execute('select name from mikro_orm_migrations order by id') as Array<{ name: string }> // its columns
    const message = olderMessage('the database', rows.map(({ name }) => name))
    if (message !== undefined) throw new Error(message)
    this.addSql(statementsOf('baseline', 'roles'))
    this.addSql(routinesOf('search_text', 'sort_text', 'rfc_check_digit', 'search_lexemes'))
    this.addSql(statementsOf('baseline', 'accounts', 'revisions', 'contracts', 'estimates', 'files', 'service'))
    this.addSql(walls(...walled))
    // Answers for accounts belong to no company.
    this.addSql(`alter policy company_admitted on idempotency_keys using (${orNone}) with check (${orNone})`)
    this.addSql(statementsOf('baseline', 'search', 'rights'))
  }
}
