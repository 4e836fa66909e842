-- Revisions of companies, the change log and the history.

-- The revision and the number of records of each company. Outside row-level security (decision 1).
create table company_revisions (
  company_id int primary key,
  revision bigint not null default '0',
  contracts int not null default 0,
  contrapartes int not null default 0,
  estimates int not null default 0,
  stamp bigint not null default '0',
  webhooks int not null default 0,
  convenios int not null default 0,
  conceptos int not null default 0,
  generadores int not null default 0,
  pagos int not null default 0,
  movimientos int not null default 0,
  programa int not null default 0,
  adjuntos int not null default 0,
  constraint company_revisions_company_id_foreign foreign key (company_id) references companies (id) on update cascade on delete cascade);

create table changes (
  company_id int not null,
  revision bigint not null,
  resource varchar(32) not null,
  record_id bigint not null,
  operation varchar(6) not null,
  changed_at timestamptz(6) not null default clock_timestamp(),
  primary key (company_id, revision, resource, record_id),
  constraint changes_operation_check check (operation in ('insert', 'update', 'delete')));
-- Only updates and deletes supersede an entry, so creates do not maintain this index.
create index changes_superseding_index on changes (company_id, resource, record_id, revision) where operation <> 'insert';

-- What a cursor needs of purged log entries: their stamps, and whether a delete is among them.
create table purged_revisions (
  company_id int not null,
  revision bigint not null,
  stamp bigint not null,
  has_deletes boolean not null,
  purged_at timestamptz(6) not null default clock_timestamp(),
  primary key (company_id, revision, stamp));
create index purged_revisions_purged_at_index on purged_revisions (company_id, purged_at);
create index purged_revisions_deletes_index on purged_revisions (company_id, revision) where has_deletes;

-- One entry for each change of a record (decision 51). Entries stay when records are deleted, so there are no foreign keys.
create table history (
  id bigserial primary key,
  company_id int not null,
  customer int null,
  contract bigint null,
  resource varchar(32) not null,
  record_id bigint not null,
  version int not null,
  at timestamptz(6) not null,
  caller int null,
  operation varchar(6) not null,
  fields jsonb not null,
  constraint history_operation_check check (operation in ('insert', 'update', 'delete')));
create index history_at_index on history (company_id, at, id);
create index history_record_index on history (company_id, record_id, at);
create index history_contract_index on history (company_id, contract, at) where contract is not null;
create index history_caller_index on history (company_id, caller, at);
create index history_customer_index on history (customer, at) where customer is not null;
