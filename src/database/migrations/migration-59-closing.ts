import { Migration } from '@mikro-orm/migrations'
import { statementsOf } from './sql.ts'

/** A finiquito gives back what was repaid and not delivered, a settled contract is closed, and days and percentages have bounds. */
export class Migration59Closing extends Migration {
  override up (): void {
    this.addSql(statementsOf('closing', 'advance', 'contracts', 'days', 'percentages'))
  }
}
