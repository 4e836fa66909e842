import { Migration } from '@mikro-orm/migrations'
import { fixed, readByIndex, statementsOf, walls } from './sql.ts'

/** Change orders. Their signature changes the amount and the end of a contract, and their authorization raises what can be authorized. */
export class Migration44Convenios extends Migration {
  override up (): void {
    this.addSql(statementsOf('convenios', 'table'))
    this.addSql(walls('convenios'))
    this.addSql(fixed('convenios', 'contract_id'))
    this.addSql(statementsOf('convenios', 'sums', 'rules'))
    this.addSql(readByIndex('keep_convenio_sums', 'exceeds_contract', 'keep_convenio', 'keep_convenio_numbers', 'keep_agreed'))
  }
}
