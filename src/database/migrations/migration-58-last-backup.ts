import { Migration } from '@mikro-orm/migrations'

/** When the last backup ended, for `obra doctor` and for alerts. */
export class Migration58LastBackup extends Migration {
  override up (): void {
    this.addSql(`
      create table last_backup (
        only_row boolean not null default true primary key,
        ended_at timestamptz(6) not null,
        rows bigint not null,
        bytes bigint not null,
        constraint last_backup_only_row_check check (only_row)
      );
      grant select, insert, update on last_backup to obra_app;`)
  }
}
