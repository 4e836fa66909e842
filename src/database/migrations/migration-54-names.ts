import { Migration } from '@mikro-orm/migrations'
import { statementsOf } from './sql.ts'

/** A new name of a company raises its revision, because reports show the name. */
export class Migration54Names extends Migration {
  override up (): void {
    this.addSql(statementsOf('names', 'companies'))
  }
}
