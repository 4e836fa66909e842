import { Migration } from '@mikro-orm/migrations'

/** Functions by which triggers find the user of a change (decision 49). The service sets `app.user` and `app.callers`. */
export class Migration38Callers extends Migration {
  override up (): void {
    this.addSql(`
      create function caller_of(relation text, record bigint) returns int stable parallel safe language sql as $$
        select coalesce(
          (nullif(current_setting('app.callers', true), '')::jsonb ->> (relation || '/' || record))::int,
          nullif(current_setting('app.user', true), '')::int)
      $$`)
    // For a trigger that changes another record on behalf of the caller.
    this.addSql(`
      create function note_caller(relation text, record bigint, caller int) returns void language sql as $$
        select set_config('app.callers', (
          coalesce(nullif(current_setting('app.callers', true), '')::jsonb, '{}') || jsonb_strip_nulls(jsonb_build_object(relation || '/' || record, caller)))::text, true)
      $$`)
  }
}
