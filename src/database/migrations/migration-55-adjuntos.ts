import { Migration } from '@mikro-orm/migrations'
import { fixed, readByIndex, statementsOf, walls } from './sql.ts'

/** Attachments, and what the database knows of their bytes. */
export class Migration55Adjuntos extends Migration {
  override up (): void {
    this.addSql(statementsOf('adjuntos', 'table', 'files'))
    this.addSql(walls('adjuntos', 'stored_files', 'uploads'))
    this.addSql(fixed('adjuntos', 'contract_id', 'estimate_id', 'convenio_id', 'generador_id', 'pago_id', 'tipo', 'bytes', 'sha256'))
    this.addSql(readByIndex('keep_file_state', 'release_files'))
  }
}
