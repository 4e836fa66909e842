import { Migration } from '@mikro-orm/migrations'

/** Authority revisions: numbers that every change of a caller's rights raises, except log-ins and refreshes. */
export class Migration19Authority extends Migration {
  override up (): void {
    this.addSql('create table "authority_revisions" ("bucket" int not null, "revision" bigint not null, primary key ("bucket")) with (fillfactor = 25);')
    this.addSql('grant select on authority_revisions to obra_app')
    this.functions()
    this.triggers()
  }

  private functions (): void {
    this.addSql(`
      create function raise_authority(changed int) returns void language plpgsql as $$
      begin
        -- Once per transaction: a version of the row by this transaction is visible to no other one. Reading first keeps statements with many rows fast.
        if not exists (select from authority_revisions where bucket = changed and xmin = pg_current_xact_id()::xid) then
          insert into authority_revisions as a (bucket, revision) values (changed, 1) on conflict (bucket) do update set revision = a.revision + 1;
        end if;
      end $$`)
    this.addSql('revoke execute on function raise_authority(int) from public')
    const definer = 'returns trigger language plpgsql security definer set search_path = pg_catalog, public, pg_temp'
    this.addSql(`
      create function raise_authority_of_user() ${definer} as $$
      begin
        if tg_table_name = 'users' then
          perform raise_authority(new.id % 256);
        else
          perform raise_authority(coalesce(new.user_id, old.user_id) % 256);
          if new.user_id <> old.user_id then
            perform raise_authority(old.user_id % 256);
          end if;
        end if;
        return null;
      end $$`)
    this.addSql(`
      create function raise_authority_of_all() ${definer} as $$
      begin
        perform raise_authority(bucket) from generate_series(0, 255) as bucket;
        return null;
      end $$`)
    this.addSql('revoke execute on function raise_authority_of_user(), raise_authority_of_all() from public')
  }

  /** They fire at the commit. So a transaction holds a bucket briefly, and waits for no record while it holds one. */
  private triggers (): void {
    const raise = (name: string, event: string, of: 'user' | 'all', when = '') => {
      this.addSql(`create constraint trigger ${name} after ${event} deferrable initially deferred for each row ${when} execute function raise_authority_of_${of}()`)
    }
    raise('raise_authority_update', 'update on sessions', 'user', 'when (old.user_id <> new.user_id or old.expires_at <> new.expires_at or old.revoked_at is distinct from new.revoked_at)')
    raise('raise_authority_delete', 'delete on sessions', 'user', 'when (old.revoked_at is null and old.expires_at > clock_timestamp())')
    raise('raise_authority', 'update on users', 'user', 'when (old.activo <> new.activo or old.nivel_acceso is distinct from new.nivel_acceso or old.customer_id is distinct from new.customer_id or old.company_id is distinct from new.company_id)')
    raise('raise_authority', 'insert or update or delete on memberships', 'user')
    raise('raise_authority', 'update on companies', 'all', 'when (old.customer_id <> new.customer_id)')
    for (const table of ['sessions', 'memberships']) {
      this.addSql(`create trigger raise_authority_truncate after truncate on ${table} for each statement execute function raise_authority_of_all()`)
    }
  }
}
