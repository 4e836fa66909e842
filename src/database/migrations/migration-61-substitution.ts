import { Migration } from '@mikro-orm/migrations'
import { readByIndex, statementsOf } from './sql.ts'

/** An invoice that replaces another one replaces its factura_uuid too. */
export class Migration61Substitution extends Migration {
  override up (): void {
    this.addSql(statementsOf('cfdi', 'substitution'))
    this.addSql(readByIndex('fill_invoice'))
  }
}
