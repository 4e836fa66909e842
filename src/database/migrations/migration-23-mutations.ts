import { Migration } from '@mikro-orm/migrations'

const admitted = "company_id = any ((select nullif(current_setting('app.companies', true), '')::int[])::int[])"

/** What the service remembers of the devices that send mutations: their results and the records that they have created. */
export class Migration23Mutations extends Migration {
  override up (): void {
    this.addSql('create table "devices" ("id" uuid not null, "user_id" int not null, "company_id" int not null, "acknowledged" bigint not null default \'0\', "used_at" timestamptz(6) not null default clock_timestamp(), primary key ("id"));')
    this.addSql('alter table "devices" add constraint "devices_company_id_unique" unique ("company_id", "id");')
    this.addSql('create index "devices_used_at_index" on "devices" ("company_id", "used_at");')
    this.addSql('create index "devices_user_id_index" on "devices" ("user_id");')
    this.addSql('create table "mutations" ("device_id" uuid not null, "id" bigint not null, "company_id" int not null, "digest" bytea not null, "result" text not null, "created_at" timestamptz(6) not null default clock_timestamp(), primary key ("device_id", "id"));')
    this.addSql('create index "mutations_created_at_index" on "mutations" ("company_id", "created_at");')
    this.addSql('create table "device_refs" ("device_id" uuid not null, "ref" varchar(64) collate "C" not null, "company_id" int not null, "resource" varchar(32) not null, "record_id" bigint not null, primary key ("device_id", "ref"));')
    this.addSql('alter table "devices" add constraint "devices_user_id_foreign" foreign key ("user_id") references "users" ("id") on delete cascade;')
    this.addSql('alter table "devices" add constraint "devices_company_id_foreign" foreign key ("company_id") references "companies" ("id") on delete cascade;')
    for (const table of ['mutations', 'device_refs']) {
      this.addSql(`alter table "${table}" add constraint "${table}_device_foreign" foreign key ("company_id", "device_id") references "devices" ("company_id", "id") on delete cascade;`)
    }
    for (const table of ['devices', 'mutations', 'device_refs']) {
      this.addSql(`alter table "${table}" enable row level security;`)
      this.addSql(`alter table "${table}" force row level security;`)
      this.addSql(`create policy "company_admitted" on "${table}" using (${admitted}) with check (${admitted});`)
      this.addSql(`grant select, insert, update, delete on ${table} to obra_app`)
    }
  }
}
