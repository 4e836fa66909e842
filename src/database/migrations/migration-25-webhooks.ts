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
}
