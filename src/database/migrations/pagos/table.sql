create table pagos (
  id bigserial primary key,
  company_id int not null,
  external_id varchar(128) null,
  created_at timestamptz(6) not null default clock_timestamp(),
  updated_at timestamptz(6) not null default clock_timestamp(),
  version int not null default 1,
  estimate_id bigint not null,
  contract_id bigint not null,
  importe numeric(18, 2) not null,
  fecha date null,
  referencia varchar(100) not null default '',
  complemento_uuid uuid null,
  busqueda text generated always as (search_text(referencia)) stored not null,
  constraint pagos_company_id_unique unique (company_id, id),
  constraint pagos_company_id_foreign foreign key (company_id) references companies (id),
  constraint pagos_estimate_foreign foreign key (company_id, estimate_id) references estimates (company_id, id),
  constraint pagos_contract_foreign foreign key (company_id, contract_id) references contracts (company_id, id),
  constraint pagos_importe_check check (importe <> 0)
);
create unique index pagos_external_id_unique on pagos (company_id, external_id) where external_id is not null;
create index pagos_contract_index on pagos (company_id, contract_id);
create index pagos_estimate_index on pagos (company_id, estimate_id) include (importe);
alter table company_revisions add pagos int not null default 0;
alter table estimates add pagado numeric(18, 2) not null default '0.00';

call keep_history_of('pagos',
  'estimate_id,contract_id,importe,fecha,referencia,complemento_uuid,external_id', '', 'company_id', '');
call keep_revisions_of('pagos');
call keep_search_of('pagos');
