-- What the service keeps for itself: answers of idempotency keys, devices, webhooks, the last backup.

-- Stored answers of requests with an Idempotency-Key. Within the key, the company is null for accounts. A stored answer belongs to one
-- reach.
create table idempotency_keys (
  id bigserial primary key,
  user_id int not null,
  company_id int null,
  route varchar(200) not null,
  key varchar(255) not null,
  digest bytea not null,
  status smallint not null,
  headers jsonb not null,
  body text not null,
  created_at timestamptz(6) not null default clock_timestamp(),
  reach varchar(16) not null default '',
  constraint idempotency_keys_unique unique nulls not distinct (user_id, key, route, company_id, reach),
  constraint idempotency_keys_user_id_fkey foreign key (user_id) references users (id) on delete cascade,
  constraint idempotency_keys_company_id_fkey foreign key (company_id) references companies (id) on delete cascade);
create index idempotency_keys_created_at_index on idempotency_keys (company_id, created_at);

-- What the service remembers of the devices that send mutations: their results and the records that they have created.
create table devices (
  id uuid primary key,
  user_id int not null,
  company_id int not null,
  acknowledged bigint not null default '0',
  used_at timestamptz(6) not null default clock_timestamp(),
  constraint devices_company_id_unique unique (company_id, id),
  constraint devices_user_id_foreign foreign key (user_id) references users (id) on delete cascade,
  constraint devices_company_id_foreign foreign key (company_id) references companies (id) on delete cascade);
create index devices_used_at_index on devices (company_id, used_at);
create index devices_user_id_index on devices (user_id);

create table mutations (
  device_id uuid not null,
  id bigint not null,
  company_id int not null,
  digest bytea not null,
  result text not null,
  created_at timestamptz(6) not null default clock_timestamp(),
  primary key (device_id, id),
  constraint mutations_device_foreign foreign key (company_id, device_id) references devices (company_id, id) on delete cascade);
create index mutations_created_at_index on mutations (company_id, created_at);

create table device_refs (
  device_id uuid not null,
  ref varchar(64) collate "C" not null,
  company_id int not null,
  resource varchar(32) not null,
  record_id bigint not null,
  primary key (device_id, ref),
  constraint device_refs_device_foreign foreign key (company_id, device_id) references devices (company_id, id) on delete cascade);
create index device_refs_record_index on device_refs (device_id, record_id);

create table webhooks (
  id bigserial primary key,
  company_id int not null,
  external_id varchar(128) null,
  created_at timestamptz(6) not null default clock_timestamp(),
  updated_at timestamptz(6) not null default clock_timestamp(),
  version int not null default 1,
  url varchar(2048) not null,
  events text not null default '',
  descripcion varchar(200) not null default '',
  batch smallint not null default 1,
  activo boolean not null default true,
  motivo_inactivo varchar(200) null,
  secrets text not null,
  busqueda text generated always as (search_text(url || ' ' || descripcion)) stored not null,
  constraint webhooks_company_id_unique unique (company_id, id),
  constraint webhooks_company_id_foreign foreign key (company_id) references companies (id),
  constraint webhooks_batch_check check (batch >= 1 and batch <= 100));
create unique index webhooks_external_id_unique on webhooks (company_id, external_id) where external_id is not null;

-- Where each webhook continues in the change log. Outside row-level security, like company_revisions.
create table webhook_cursors (
  webhook_id bigint primary key,
  company_id int not null,
  activo boolean not null,
  revision bigint not null,
  position jsonb not null,
  epoch int not null default 0,
  failures int not null default 0,
  failing_since timestamptz(6) null,
  next_attempt_at timestamptz(6) null,
  slow_for smallint not null default 0,
  skip_to jsonb null,
  lease uuid null,
  leased_at timestamptz(6) null,
  leased_until timestamptz(6) null,
  host text null,
  constraint webhook_cursors_webhook_foreign foreign key (company_id, webhook_id) references webhooks (company_id, id) on delete cascade);
create index webhook_cursors_company_index on webhook_cursors (company_id);

create table webhook_deliveries (
  id bigserial primary key,
  company_id int not null,
  webhook bigint not null,
  created_at timestamptz(6) not null default clock_timestamp(),
  message varchar(64) not null,
  events text not null,
  intento int not null,
  estado_http smallint null,
  duracion_ms int not null,
  respuesta text not null,
  error text null,
  records jsonb null,
  constraint webhook_deliveries_company_id_foreign foreign key (company_id) references companies (id));
create index webhook_deliveries_webhook_index on webhook_deliveries (company_id, webhook, id);
create index webhook_deliveries_created_at_index on webhook_deliveries (company_id, created_at);

create table last_backup (
  only_row boolean not null default true primary key,
  ended_at timestamptz(6) not null,
  rows bigint not null,
  bytes bigint not null,
  constraint last_backup_only_row_check check (only_row));
