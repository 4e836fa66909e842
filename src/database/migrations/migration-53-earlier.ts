import { Migration } from '@mikro-orm/migrations'
import { statementsOf } from './sql.ts'

/** Quantities before an authorized estimate, also of concepts that it has no line of. */
export class Migration53Earlier extends Migration {
  override up (): void {
    this.addSql(statementsOf('earlier', 'totals'))
  }
}
