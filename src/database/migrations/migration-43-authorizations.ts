import { Migration } from '@mikro-orm/migrations'
import { readByIndex, statementsOf } from './sql.ts'

/** Authorizations of a contract have an order, in which they can be undone: the last one first. */
export class Migration43Authorizations extends Migration {
  override up (): void {
    this.addSql(statementsOf('authorizations', 'order', 'undo'))
    this.addSql(readByIndex('number_authorization', 'undo_authorization', 'keep_authorization'))
  }
}
