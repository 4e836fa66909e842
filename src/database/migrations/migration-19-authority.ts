import { Migration } from '@mikro-orm/migrations'

/** Authority revisions: numbers that every change of a caller's rights raises, except log-ins and refreshes. */
export class Migration19Authority extends Migration {
  override up (): void {
    this.addSql('create table "authority_revisions" ("bucket" int not null, "revision" bigint not null, primary key ("bucket")) with (fillfactor = 25);')
    this.addSql('grant select on authority_revisions to obra_app')
    // Raises once per transaction. `on conflict` waits for other transactions, and deferred triggers take no other lock after this one.
    this.addSql(`
      create function raise_authority(buckets int[]) returns void
      language sql security definer set search_path = pg_catalog, public, pg_temp as $$
        insert into authority_revisions as a (bucket, revision)
        select distinct bucket, 1 from unnest(buckets) as b (bucket) order by bucket
        on conflict (bucket) do update set revision = a.revision + 1 where a.xmin <> pg_current_xact_id()::xid
      $$`)
    this.addSql('revoke execute on function raise_authority(int[]) from public')
    this.addSql(`
      create function raise_authority_of_user() returns trigger
      language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
      begin
        if tg_table_name = 'users' then
          perform raise_authority(array[new.id % 256]);
        elsif tg_op = 'INSERT' then
          perform raise_authority(array[new.user_id % 256]);
        elsif tg_op = 'DELETE' then
          perform raise_authority(array[old.user_id % 256]);
        else
          perform raise_authority(array[old.user_id % 256, new.user_id % 256]);
        end if;
        return null;
      end $$`)
    this.addSql(`
      create function raise_authority_of_all() returns trigger
      language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
      begin
        perform raise_authority(array(select generate_series(0, 255)));
        return null;
      end $$`)
    this.addSql('revoke execute on function raise_authority_of_user(), raise_authority_of_all() from public')

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
