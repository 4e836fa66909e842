import { Migration } from '@mikro-orm/migrations'
import { statementsOf, walls } from './sql.ts'

/** Authorized estimates keep their cover sheets, and the time of the authorization. */
export class Migration63Caratulas extends Migration {
  override up (): void {
    this.addSql(statementsOf('caratulas', 'authorized', 'kept'))
    this.addSql(walls('caratulas'))
  }
}
