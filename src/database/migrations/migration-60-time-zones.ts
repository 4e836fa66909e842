import { Migration } from '@mikro-orm/migrations'
import { statementsOf } from './sql.ts'

/** Companies have a time zone, for times without an offset. A change of it reaches each session and each cached page. */
export class Migration60TimeZones extends Migration {
  override up (): void {
    this.addSql("alter table companies add column zona_horaria varchar(64) not null default 'America/Mexico_City'")
    this.addSql("call keep_history_of('companies', 'nombre,customer_id,zona_horaria', '', 'id', '')")
    this.addSql(statementsOf('time-zones', 'companies'))
  }
}
