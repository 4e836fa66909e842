import { Migration } from '@mikro-orm/migrations'

const admitted = "company_id = any ((select nullif(current_setting('app.companies', true), '')::int[])::int[])"

/** Webhooks, where each continues in the change log, and its attempts to deliver. */
export class Migration25Webhooks extends Migration {
  override up (): void {
    this.addSql('create table "webhooks" ("id" bigserial primary key, "company_id" int not null, "external_id" varchar(128) null, "created_at" timestamptz(6) not null default clock_timestamp(), "updated_at" timestamptz(6) not null default clock_timestamp(), "version" int not null default 1, "url" varchar(2048) not null, "events" text not null default \'\', "descripcion" varchar(200) not null default \'\', "batch" smallint not null default 1, "activo" boolean not null default true, "motivo_inactivo" varchar(200) null, "secrets" text not null, "busqueda" text generated always as (search_text(url || \' \' || descripcion)) stored not null)')
    this.addSql('alter table "webhooks" add constraint "webhooks_company_id_unique" unique ("company_id", "id")')
    this.addSql('create unique index "webhooks_external_id_unique" on "webhooks" ("company_id", "external_id") where external_id is not null')
    this.addSql('alter table "webhooks" add constraint "webhooks_company_id_foreign" foreign key ("company_id") references "companies" ("id")')
    this.addSql('alter table "webhooks" add constraint "webhooks_batch_check" check (batch >= 1 and batch <= 100)')
    this.addSql('alter table "company_revisions" add "webhooks" int not null default 0')
    this.walls('webhooks')
    this.addSql("call keep_revisions_of('webhooks')")
    this.addSql("call keep_search_of('webhooks')")
    this.cursors()
    this.purge()
    this.deliveries()
  }

  private walls (table: string): void {
    this.addSql(`alter table "${table}" enable row level security`)
    this.addSql(`alter table "${table}" force row level security`)
    this.addSql(`create policy "company_admitted" on "${table}" using (${admitted}) with check (${admitted})`)
  }

  private cursors (): void {
    // Outside row-level security, like company_revisions.
    this.addSql('create table "webhook_cursors" ("webhook_id" bigint not null, "company_id" int not null, "activo" boolean not null, "revision" bigint not null, "position" jsonb not null, "epoch" int not null default 0, "failures" int not null default 0, "failing_since" timestamptz(6) null, "next_attempt_at" timestamptz(6) null, "slow_for" smallint not null default 0, "skip_to" jsonb null, "lease" uuid null, "leased_at" timestamptz(6) null, "leased_until" timestamptz(6) null, primary key ("webhook_id"))')
    this.addSql('create index "webhook_cursors_company_index" on "webhook_cursors" ("company_id")')
    this.addSql('alter table "webhook_cursors" add constraint "webhook_cursors_webhook_foreign" foreign key ("company_id", "webhook_id") references "webhooks" ("company_id", "id") on delete cascade')
    this.addSql('grant select, insert, update on webhook_cursors to obra_app')

    // A webhook starts after the present revision. It keeps the highest ids of that moment: records with higher ids are new.
    this.addSql(`
      create function add_webhook_cursor() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
      declare
        resource text;
        highest bigint;
        known jsonb := '{}';
      begin
        for resource in
          select c.relname from pg_trigger t join pg_class c on c.oid = t.tgrelid
          where t.tgname = 'revision_insert' and c.relnamespace = 'public'::regnamespace
        loop
          execute format('select max(id) from %I where company_id = $1', resource) into highest using new.company_id;
          known := known || jsonb_build_object(resource, coalesce(highest, 0));
        end loop;
        insert into webhook_cursors (webhook_id, company_id, activo, revision, position)
        select new.id, new.company_id, new.activo, r.revision, jsonb_build_object('resource', '', 'record_id', 0, 'known', known, 'horizon', null, 'next_known', null, 'opened', null)
        from company_revisions r where r.company_id = new.company_id;
        return null;
      end $$`)
    this.addSql('create trigger add_webhook_cursor after insert on webhooks for each row execute function add_webhook_cursor()')

    this.addSql(`
      create function clear_motivo_inactivo() returns trigger language plpgsql as $$
      begin
        new.motivo_inactivo := null;
        return new;
      end $$`)
    this.addSql('create trigger clear_motivo_inactivo before update of activo on webhooks for each row when (new.activo and not old.activo) execute function clear_motivo_inactivo()')

    this.addSql(`
      create function retry_webhook() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
      begin
        update webhook_cursors
        set activo = new.activo, epoch = epoch + 1, failures = 0, failing_since = null, next_attempt_at = null, skip_to = null
        where webhook_id = new.id;
        return null;
      end $$`)
    this.addSql('create trigger retry_webhook after update of url, activo on webhooks for each row when (old.url <> new.url or old.activo <> new.activo) execute function retry_webhook()')
  }

  private deliveries (): void {
    this.addSql('create table "webhook_deliveries" ("id" bigserial primary key, "company_id" int not null, "webhook" bigint not null, "created_at" timestamptz(6) not null default clock_timestamp(), "message" varchar(64) not null, "events" text not null, "intento" int not null, "estado_http" smallint null, "duracion_ms" int not null, "respuesta" text not null, "error" text null)')
    this.addSql('create index "webhook_deliveries_webhook_index" on "webhook_deliveries" ("company_id", "webhook", "id")')
    this.addSql('create index "webhook_deliveries_created_at_index" on "webhook_deliveries" ("company_id", "created_at")')
    this.addSql('alter table "webhook_deliveries" add constraint "webhook_deliveries_company_id_foreign" foreign key ("company_id") references "companies" ("id")')
    this.walls('webhook_deliveries')
    this.addSql('grant select, insert, delete on webhook_deliveries to obra_app')
    this.addSql('grant usage, select on sequence webhook_deliveries_id_seq to obra_app')
  }

  // An entry stays for seven days after the next one of its record, not after its own commit: webhooks coalesce the entries of a window.
  private purge (): void {
    this.addSql(`
      create or replace function purge_changes(company int, after_revision bigint, after_resource text, after_record bigint, most int)
      returns table (removed int, revision bigint, resource text, record_id bigint, due timestamptz)
      language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
      #variable_conflict use_column
      declare
        superseded_for constant interval := '7 days';
        tombstones_for constant interval := '100 days';
        -- Longer than any session: a device that has synchronized since then finds the revision of its cursor.
        purged_for constant interval := '100 days';
        admitted constant text := coalesce(current_setting('app.companies', true), '');
      begin
        -- The policies bind the owner too.
        perform set_config('app.companies', '{' || company || '}', true);
        return query
          with seen as materialized (
            select c.ctid, c.revision, c.resource, c.record_id, c.changed_at, c.operation = 'delete' as gone,
              (
                select n.changed_at from changes n
                where n.company_id = company and n.resource = c.resource and n.record_id = c.record_id and n.revision > c.revision and n.operation <> 'insert'
                order by n.revision limit 1) as superseded_at
            from changes c
            where c.company_id = company and (c.revision, c.resource, c.record_id) > (after_revision, after_resource, after_record)
            order by c.revision, c.resource, c.record_id limit least(most, 1000)),
          judged as (
            select s.*, s.changed_at > statement_timestamp() - superseded_for as young,
              coalesce(s.superseded_at + superseded_for, case when s.gone then s.changed_at + tombstones_for end) as ends_at
            from seen s),
          purged as (
            delete from changes where ctid = any (array(select j.ctid from judged j where j.ends_at <= statement_timestamp()))
            returning revision, changed_at, operation = 'delete' as gone),
          kept as (
            insert into purged_revisions as k (company_id, revision, stamp, has_deletes)
            select company, p.revision, stamp_of(p.changed_at), bool_or(p.gone) from purged p group by 2, 3
            on conflict (company_id, revision, stamp) do update set has_deletes = k.has_deletes or excluded.has_deletes, purged_at = excluded.purged_at),
          dropped as (
            -- The last revision with a purged delete stays: older cursors are truncated.
            delete from purged_revisions where ctid = any (array(
              select k.ctid from purged_revisions k
              where k.company_id = company and k.purged_at <= statement_timestamp() - purged_for
                and (not k.has_deletes or exists (select from purged_revisions l where l.company_id = company and l.revision > k.revision and l.has_deletes))
                -- A cursor can be at this revision until the next one.
                and (exists (select from changes n where n.company_id = company and n.revision > k.revision and n.changed_at <= statement_timestamp() - purged_for)
                  or exists (select from purged_revisions n where n.company_id = company and n.revision > k.revision and n.stamp <= stamp_of(statement_timestamp() - purged_for)))
              order by k.purged_at limit least(most, 1000)))),
          total as (
            select count(*) as seen, coalesce(bool_or(j.young), false) as young,
              least(min(j.ends_at) filter (where j.ends_at > statement_timestamp()), min(j.changed_at + superseded_for) filter (where j.young)) as due
            from judged j)
          select (select count(*)::int from purged), l.revision, l.resource::text, l.record_id::bigint, t.due
          from total t
          left join lateral (
            select s.revision, s.resource, s.record_id from seen s order by s.revision desc, s.resource desc, s.record_id desc limit 1
          ) l on t.seen = least(most, 1000) and not t.young;
        perform set_config('app.companies', admitted, true);
      end $$`)
  }
}
