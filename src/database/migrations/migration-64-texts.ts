import { Migration } from '@mikro-orm/migrations'
import { asSearch, statementsOf } from './sql.ts'

/** Search ignores apostrophes and invisible characters, unique texts have no invisible characters, and codes sort by their numbers (decision 8). */
export class Migration64Texts extends Migration {
  override up (): void {
    this.addSql(asSearch(statementsOf('texts', 'search')))
    this.addSql(statementsOf('texts', 'natural-key', 'chapters', 'invisible'))
  }
}
