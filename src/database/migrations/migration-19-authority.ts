import { Migration } from '@mikro-orm/migrations'

/** Authority revisions: numbers that every change of a caller's rights raises, except log-ins and refreshes. */
export class Migration19Authority extends Migration {
  override up (): void {
    this.addSql('create table "authority_revisions" ("bucket" int not null, "revision" bigint not null, primary key ("bucket")) with (fillfactor = 25);')
    this.addSql('grant select on authority_revisions to obra_app')
    // Triggers call it at the commit, so a transaction takes no other lock after this one. It raises once per transaction.
    this.addSql(`
      create function raise_authority(user_id int) returns void
      language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
      begin
        insert into authority_revisions as a (bucket, revision) values (user_id % 256, 1)
        on conflict (bucket) do update set revision = a.revision + 1 where a.xmin <> pg_current_xact_id()::xid;
      end $$`)
    this.addSql('revoke execute on function raise_authority(int) from public')
    this.addSql('grant execute on function raise_authority(int) to obra_app')
    this.addSql(`
      create function raise_authority_of_user() returns trigger language plpgsql as $$
      declare
        changed int;
      begin
        if tg_table_name = 'users' then
          changed := new.id;
        else
          changed := coalesce(new.user_id, old.user_id);
          if new.user_id <> old.user_id then
            perform public.raise_authority(old.user_id);
          end if;
        end if;
        -- Without a call for each row, statements with many rows stay fast.
        if not exists (select from public.authority_revisions where bucket = changed % 256 and xmin = pg_current_xact_id()::xid) then
          perform public.raise_authority(changed);
        end if;
        return null;
      end $$`)
    this.addSql(`
      create function raise_authority_of_all() returns trigger language plpgsql as $$
      begin
        perform public.raise_authority(bucket) from generate_series(0, 255) as bucket;
        return null;
      end $$`)

    const deferred = (name: string, when: string, calls: string) => {
      this.addSql(`create constraint trigger ${name} after ${when.replace(' for each', ' deferrable initially deferred for each')} execute function ${calls}()`)
    }
    deferred('raise_authority_update', 'update on sessions for each row when (old.user_id <> new.user_id or old.expires_at <> new.expires_at or old.revoked_at is distinct from new.revoked_at)', 'raise_authority_of_user')
    deferred('raise_authority_delete', 'delete on sessions for each row when (old.revoked_at is null and old.expires_at > clock_timestamp())', 'raise_authority_of_user')
    deferred('raise_authority', 'update on users for each row when (old.activo <> new.activo or old.nivel_acceso is distinct from new.nivel_acceso or old.customer_id is distinct from new.customer_id or old.company_id is distinct from new.company_id)', 'raise_authority_of_user')
    deferred('raise_authority', 'insert or update or delete on memberships for each row', 'raise_authority_of_user')
    deferred('raise_authority', 'update on companies for each row when (old.customer_id <> new.customer_id)', 'raise_authority_of_all')
    for (const table of ['sessions', 'memberships']) {
      this.addSql(`create trigger raise_authority_truncate after truncate on ${table} for each statement execute function raise_authority_of_all()`)
    }
  }
}
