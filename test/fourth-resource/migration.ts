/** The output of `obra make-migration almacenes`. */
export const migration = [
  'create table "almacenes" ("id" bigserial primary key, "company_id" int not null, "external_id" varchar(128) null, "created_at" timestamptz(6) not null default clock_timestamp(), "updated_at" timestamptz(6) not null default clock_timestamp(), "version" int not null default 1, "clave" varchar(20) not null, "direccion" varchar(500) not null default \'\', "contract_id" bigint null, "busqueda" text generated always as (search_text(clave || \' \' || direccion)) stored not null)',
  'create index "almacenes_contract_index" on "almacenes" ("company_id", "contract_id") where contract_id is not null',
  'alter table "almacenes" add constraint "almacenes_company_id_unique" unique ("company_id", "id")',
  'alter table "almacenes" add constraint "almacenes_clave_unique" unique ("company_id", "clave")',
  'create unique index "almacenes_external_id_unique" on "almacenes" ("company_id", "external_id") where external_id is not null',
  'alter table "company_revisions" add "almacenes" int not null default 0',
  'alter table "almacenes" add constraint "almacenes_company_id_foreign" foreign key ("company_id") references "companies" ("id")',
  'alter table "almacenes" add constraint "almacenes_contract_foreign" foreign key ("company_id", "contract_id") references "contracts" ("company_id", "id")',
  'alter table "almacenes" enable row level security',
  'alter table "almacenes" force row level security',
  'create policy "company_admitted" on "almacenes" using ((company_id = any ((select nullif(current_setting(\'app.companies\', true), \'\')::int[] as nullif)::int[])) is true) with check ((company_id = any ((select nullif(current_setting(\'app.companies\', true), \'\')::int[] as nullif)::int[])) is true)',
  'grant select, insert, update, delete on almacenes to obra_app',
  'grant usage, select on sequence almacenes_id_seq to obra_app',
  'call keep_search_of(\'almacenes\')'
]
