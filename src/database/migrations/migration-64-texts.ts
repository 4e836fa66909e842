import { Migration } from '@mikro-orm/migrations'
import { statementsOf } from './sql.ts'

/** Search ignores apostrophes and invisible characters, and unique texts have no invisible characters (decision 8). */
export class Migration64Texts extends Migration {
  override up (): void {
    this.addSql(statementsOf('texts', 'search', 'invisible'))
  }
}
