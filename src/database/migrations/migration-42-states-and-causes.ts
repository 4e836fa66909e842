import { Migration } from '@mikro-orm/migrations'
import { readByIndex, statementsOf } from './sql.ts'

/** Functions of triggers between records and their parents, for states that are expressions and references that are null. */
export class Migration42StatesAndCauses extends Migration {
  override up (): void {
    this.addSql(statementsOf('states-and-causes', 'keep-writable', 'note-causes'))
    this.addSql(readByIndex('keep_writable'))
  }
}
