import { Migration } from '@mikro-orm/migrations'

/** Companies have a time zone, for times without an offset. */
export class Migration60TimeZones extends Migration {
  override up (): void {
    this.addSql("alter table companies add column zona_horaria varchar(64) not null default 'America/Mexico_City'")
  }
}
