-- Customers, companies, users and their sessions.

create table customers (
  id serial primary key,
  nombre varchar(200) not null,
  created_at timestamptz(6) not null default clock_timestamp(),
  updated_at timestamptz(6) not null default clock_timestamp(),
  version int not null default 1,
  busqueda text generated always as (search_text(nombre)) stored not null);

create table companies (
  id serial primary key,
  nombre varchar(200) not null,
  customer_id int not null,
  created_at timestamptz(6) not null default clock_timestamp(),
  updated_at timestamptz(6) not null default clock_timestamp(),
  version int not null default 1,
  busqueda text generated always as (search_text(nombre)) stored not null,
  constraint companies_customer_nombre_unique unique (customer_id, nombre),
  constraint companies_customer_id_foreign foreign key (customer_id) references customers (id));
create index companies_customer_id_index on companies (customer_id);

create table users (
  id serial primary key,
  email varchar(254) not null,
  password varchar(255) not null,
  nombre varchar(200) not null default '',
  customer_id int null,
  nivel_acceso smallint null,
  company_id int null,
  activo boolean not null default true,
  created_at timestamptz(6) not null default clock_timestamp(),
  updated_at timestamptz(6) not null default clock_timestamp(),
  version int not null default 1,
  busqueda text generated always as (search_text(nombre || ' ' || email)) stored not null,
  constraint users_email_unique unique (email),
  constraint users_customer_id_foreign foreign key (customer_id) references customers (id) on delete set null,
  constraint users_company_id_foreign foreign key (company_id) references companies (id) on delete set null,
  constraint users_email_check check (email = lower(email)),
  constraint users_nivel_acceso_check check (nivel_acceso >= 4 and nivel_acceso <= 6));
create index users_customer_id_index on users (customer_id);
create index users_company_id_index on users (company_id);
-- A log-in reads the highest iteration count of Django hashes, so that refusals take the same time for all accounts.
create index users_pbkdf2_index on users ((split_part(password, '$', 2)::integer)) where password like 'pbkdf2_sha256$%';
-- Each change of a Superusuario checks whether there is another active one.
create index users_superusuarios_index on users (id) where activo and nivel_acceso = 6;

create table memberships (
  id serial primary key,
  user_id int not null,
  company_id int not null,
  nivel_acceso smallint not null,
  created_at timestamptz(6) not null default clock_timestamp(),
  updated_at timestamptz(6) not null default clock_timestamp(),
  version int not null default 1,
  constraint memberships_user_company_unique unique (user_id, company_id),
  constraint memberships_user_id_foreign foreign key (user_id) references users (id),
  constraint memberships_company_id_foreign foreign key (company_id) references companies (id),
  constraint memberships_nivel_acceso_check check (nivel_acceso >= 1 and nivel_acceso <= 3));
create index memberships_company_id_index on memberships (company_id);

create table sessions (
  id uuid primary key,
  user_id int not null,
  created_at timestamptz(6) not null default clock_timestamp(),
  expires_at timestamptz(6) not null,
  revoked_at timestamptz(6) null,
  constraint sessions_user_id_foreign foreign key (user_id) references users (id));
create index sessions_user_id_index on sessions (user_id);
create index sessions_ended_index on sessions (least(revoked_at, expires_at));

create table refresh_tokens (
  session_id uuid not null,
  hash bytea not null,
  spent_at timestamptz(6) null,
  created_at timestamptz(6) not null default clock_timestamp(),
  unused_access bytea null,
  primary key (session_id, hash),
  constraint refresh_tokens_session_id_foreign foreign key (session_id) references sessions (id) on delete cascade);
create index refresh_tokens_created_at_index on refresh_tokens (created_at) where spent_at is null;
create index refresh_tokens_spent_at_index on refresh_tokens (spent_at) where spent_at is not null;

-- Addresses of recent log-ins.
create table known_addresses (
  user_id int not null,
  address varchar(43) not null,
  logged_in_on date not null default current_date,
  primary key (user_id, address),
  constraint known_addresses_user_id_fkey foreign key (user_id) references users (id) on delete cascade);
create index known_addresses_logged_in_on_index on known_addresses (logged_in_on);

-- Numbers that every change of a caller's rights raises, except log-ins and refreshes: one for each of 256 buckets of users.
create table authority_revisions (
  bucket int primary key,
  revision bigint not null)
with (fillfactor = 25);
