create table programa (
  id bigserial primary key,
  company_id int not null,
  external_id varchar(128) null,
  created_at timestamptz(6) not null default clock_timestamp(),
  updated_at timestamptz(6) not null default clock_timestamp(),
  version int not null default 1,
  contract_id bigint not null,
  convenio_id bigint null,
  periodo_inicio date not null,
  periodo_fin date not null,
  importe numeric(18, 2) not null,
  constraint programa_company_id_unique unique (company_id, id),
  constraint programa_company_id_foreign foreign key (company_id) references companies (id),
  constraint programa_contract_foreign foreign key (company_id, contract_id) references contracts (company_id, id),
  constraint programa_convenio_foreign
    foreign key (company_id, contract_id, convenio_id) references convenios (company_id, contract_id, id),
  constraint programa_periodo_check check (periodo_inicio <= periodo_fin),
  constraint programa_importe_check check (importe <> 0)
);
create unique index programa_external_id_unique on programa (company_id, external_id) where external_id is not null;
create index programa_contract_index on programa (company_id, contract_id);
create index programa_convenio_index on programa (company_id, convenio_id) where convenio_id is not null;
alter table company_revisions add programa int not null default 0;

call keep_history_of('programa', 'contract_id,convenio_id,periodo_inicio,periodo_fin,importe,external_id', '', 'company_id', '');
call keep_revisions_of('programa');
