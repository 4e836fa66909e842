import { Migration } from '@mikro-orm/migrations'

/** The tables with their constraints, indexes and policies, as generated from the entities. */
export class Migration2Tables extends Migration {
  override up (): void | Promise<void> {
    this.addSql('create table "customers" ("id" serial primary key, "nombre" varchar(200) not null, "created_at" timestamptz(6) not null default clock_timestamp());')

    this.addSql('create table "companies" ("id" serial primary key, "nombre" varchar(200) not null, "customer_id" int not null, "created_at" timestamptz(6) not null default clock_timestamp());')
    this.addSql('create index "companies_customer_id_index" on "companies" ("customer_id");')
    this.addSql('alter table "companies" add constraint "companies_customer_nombre_unique" unique ("customer_id", "nombre");')

    this.addSql('create table "contrapartes" ("id" serial primary key, "company_id" int not null, "external_id" varchar(128) null, "created_at" timestamptz(6) not null default clock_timestamp(), "updated_at" timestamptz(6) not null default clock_timestamp(), "version" int not null default 1, "nombre" varchar(200) not null, "busqueda" text generated always as (search_text(nombre)) stored not null);')
    this.addSql('alter table "contrapartes" add constraint "contrapartes_company_id_unique" unique ("company_id", "id");')
    this.addSql('alter table "contrapartes" add constraint "contrapartes_nombre_unique" unique ("company_id", "nombre");')
    this.addSql('create unique index "contrapartes_external_id_unique" on "contrapartes" ("company_id", "external_id") where external_id is not null;')

    this.addSql('create table "contracts" ("id" serial primary key, "company_id" int not null, "external_id" varchar(128) null, "created_at" timestamptz(6) not null default clock_timestamp(), "updated_at" timestamptz(6) not null default clock_timestamp(), "version" int not null default 1, "folio" varchar(64) collate "C" not null, "contraparte_id" int null, "monto" numeric(18, 2) not null default \'0.00\', "parent_id" int null, "descripcion" varchar(2000) not null default \'\', "moneda" varchar(3) not null default \'MXN\', "fecha_inicio" date null, "fecha_fin" date null, "anticipo_porcentaje" numeric(5, 2) not null default \'0.00\', "retencion_porcentaje" numeric(5, 2) not null default \'0.00\', "iva_porcentaje" numeric(5, 2) not null default \'16.00\', "estado" varchar(16) not null default \'vigente\', "busqueda" text generated always as (search_text(folio || \' \' || descripcion)) stored not null);')
    this.addSql('create index "contracts_parent_index" on "contracts" ("company_id", "parent_id") where parent_id is not null;')
    this.addSql('create index "contracts_contraparte_index" on "contracts" ("company_id", "contraparte_id") where contraparte_id is not null;')
    this.addSql('create index "contracts_updated_at_index" on "contracts" ("company_id", "updated_at", "id");')
    this.addSql('alter table "contracts" add constraint "contracts_company_id_unique" unique ("company_id", "id");')
    this.addSql('alter table "contracts" add constraint "contracts_folio_unique" unique ("company_id", "folio");')
    this.addSql('create unique index "contracts_external_id_unique" on "contracts" ("company_id", "external_id") where external_id is not null;')
    this.addSql('alter table "contracts" add constraint "contracts_fechas_check" check (fecha_fin >= fecha_inicio);')
    this.addSql('alter table "contracts" add constraint "contracts_monto_check" check (monto >= 0);')
    this.addSql('alter table "contracts" add constraint "contracts_moneda_check" check (moneda in (\'MXN\', \'USD\', \'EUR\'));')
    this.addSql('alter table "contracts" add constraint "contracts_anticipo_porcentaje_check" check (anticipo_porcentaje between 0 and 100);')
    this.addSql('alter table "contracts" add constraint "contracts_retencion_porcentaje_check" check (retencion_porcentaje between 0 and 100);')
    this.addSql('alter table "contracts" add constraint "contracts_iva_porcentaje_check" check (iva_porcentaje between 0 and 100);')
    this.addSql('alter table "contracts" add constraint "contracts_estado_check" check (estado in (\'vigente\', \'suspendido\', \'terminado\', \'cancelado\'));')

    this.addSql('create table "company_revisions" ("company_id" int not null, "revision" bigint not null default \'0\', "contracts" int not null default 0, "contrapartes" int not null default 0, primary key ("company_id"));')

    this.addSql('create table "changes" ("company_id" int not null, "revision" bigint not null, "resource" varchar(32) not null, "record_id" int not null, "operation" varchar(6) not null, "changed_at" timestamptz(6) not null default clock_timestamp(), primary key ("company_id", "revision", "resource", "record_id"));')
    this.addSql('alter table "changes" add constraint "changes_operation_check" check (operation in (\'insert\', \'update\', \'delete\'));')

    this.addSql('create table "users" ("id" serial primary key, "email" varchar(254) not null, "password" varchar(255) not null, "nombre" varchar(200) not null default \'\', "customer_id" int null, "nivel_acceso" smallint null, "company_id" int null, "activo" boolean not null default true, "created_at" timestamptz(6) not null default clock_timestamp());')
    this.addSql('alter table "users" add constraint "users_email_unique" unique ("email");')
    this.addSql('create index "users_customer_id_index" on "users" ("customer_id");')
    this.addSql('create index "users_company_id_index" on "users" ("company_id");')
    this.addSql('alter table "users" add constraint "users_email_check" check (email = lower(email));')
    this.addSql('alter table "users" add constraint "users_nivel_acceso_check" check (nivel_acceso between 4 and 6);')

    this.addSql('create table "sessions" ("id" uuid not null, "user_id" int not null, "created_at" timestamptz(6) not null default clock_timestamp(), "expires_at" timestamptz(6) not null, "revoked_at" timestamptz(6) null, primary key ("id"));')
    this.addSql('create index "sessions_user_id_index" on "sessions" ("user_id");')

    this.addSql('create table "refresh_tokens" ("session_id" uuid not null, "hash" bytea not null, "spent_at" timestamptz(6) null, primary key ("session_id", "hash"));')

    this.addSql('create table "memberships" ("id" serial primary key, "user_id" int not null, "company_id" int not null, "nivel_acceso" smallint not null, "created_at" timestamptz(6) not null default clock_timestamp());')
    this.addSql('create index "memberships_company_id_index" on "memberships" ("company_id");')
    this.addSql('alter table "memberships" add constraint "memberships_user_company_unique" unique ("user_id", "company_id");')
    this.addSql('alter table "memberships" add constraint "memberships_nivel_acceso_check" check (nivel_acceso between 1 and 3);')

    this.addSql('alter table "companies" add constraint "companies_customer_id_foreign" foreign key ("customer_id") references "customers" ("id");')

    this.addSql('alter table "contrapartes" add constraint "contrapartes_company_id_foreign" foreign key ("company_id") references "companies" ("id");')

    this.addSql('alter table "contracts" add constraint "contracts_company_id_foreign" foreign key ("company_id") references "companies" ("id");')

    this.addSql('alter table "company_revisions" add constraint "company_revisions_company_id_foreign" foreign key ("company_id") references "companies" ("id") on update cascade on delete cascade;')

    this.addSql('alter table "users" add constraint "users_customer_id_foreign" foreign key ("customer_id") references "customers" ("id") on delete set null;')
    this.addSql('alter table "users" add constraint "users_company_id_foreign" foreign key ("company_id") references "companies" ("id") on delete set null;')

    this.addSql('alter table "sessions" add constraint "sessions_user_id_foreign" foreign key ("user_id") references "users" ("id");')

    this.addSql('alter table "refresh_tokens" add constraint "refresh_tokens_session_id_foreign" foreign key ("session_id") references "sessions" ("id") on delete cascade;')

    this.addSql('alter table "memberships" add constraint "memberships_user_id_foreign" foreign key ("user_id") references "users" ("id");')
    this.addSql('alter table "memberships" add constraint "memberships_company_id_foreign" foreign key ("company_id") references "companies" ("id");')

    this.addSql('alter table "contrapartes" enable row level security;')
    this.addSql('alter table "contrapartes" force row level security;')
    this.addSql('create policy "company_admitted" on "contrapartes" using (company_id = any (nullif(current_setting(\'app.companies\', true), \'\')::int[])) with check (company_id = any (nullif(current_setting(\'app.companies\', true), \'\')::int[]));')
    this.addSql('alter table "contracts" enable row level security;')
    this.addSql('alter table "contracts" force row level security;')
    this.addSql('create policy "company_admitted" on "contracts" using (company_id = any (nullif(current_setting(\'app.companies\', true), \'\')::int[])) with check (company_id = any (nullif(current_setting(\'app.companies\', true), \'\')::int[]));')
    this.addSql('alter table "changes" enable row level security;')
    this.addSql('alter table "changes" force row level security;')
    this.addSql('create policy "company_admitted" on "changes" using (company_id = any (nullif(current_setting(\'app.companies\', true), \'\')::int[])) with check (company_id = any (nullif(current_setting(\'app.companies\', true), \'\')::int[]));')
  }
}
