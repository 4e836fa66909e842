import { Migration } from '@mikro-orm/migrations'

/** A function that fails a transaction if its caller has changed since authentication. */
export class Migration13Callers extends Migration {
  override up (): void {
    this.addSql(`
      create function refuse_changed_caller() returns void language plpgsql as $$
      begin
        raise exception 'a caller''s session has ended, or the level has changed' using errcode = 'OB001';
      end $$`)
  }
}
