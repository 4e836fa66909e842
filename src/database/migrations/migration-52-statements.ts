import { Migration } from '@mikro-orm/migrations'
import { asSearch, statementsOf } from './sql.ts'

/** Less work per change: a rule of contracts runs once per statement, and the history compares columns. */
export class Migration52Statements extends Migration {
  override up (): void {
    this.addSql(statementsOf('statements', 'contracts', 'keep-history-of'))
    this.addSql(asSearch(statementsOf('statements', 'index-changes')))
  }
}
