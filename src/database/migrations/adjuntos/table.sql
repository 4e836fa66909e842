-- Foreign keys contain the contract.
alter table estimates add constraint estimates_contract_id_unique unique (company_id, contract_id, id);
alter table generadores add constraint generadores_contract_id_unique unique (company_id, contract_id, id);
drop index generadores_contract_index;
alter table pagos add constraint pagos_contract_id_unique unique (company_id, contract_id, id);
drop index pagos_contract_index;

create table adjuntos (
  id bigserial primary key,
  company_id int not null,
  external_id varchar(128) null,
  created_at timestamptz(6) not null default clock_timestamp(),
  updated_at timestamptz(6) not null default clock_timestamp(),
  version int not null default 1,
  contract_id bigint not null,
  estimate_id bigint null,
  convenio_id bigint null,
  generador_id bigint null,
  pago_id bigint null,
  nombre varchar(200) not null,
  descripcion varchar(500) not null default '',
  tomada_en timestamptz(6) null,
  tipo varchar(80) not null,
  bytes int not null,
  sha256 varchar(64) not null,
  estado varchar(16) not null,
  busqueda text generated always as (search_text(nombre || ' ' || descripcion)) stored not null,
  constraint adjuntos_company_id_unique unique (company_id, id),
  constraint adjuntos_company_id_foreign foreign key (company_id) references companies (id),
  constraint adjuntos_contract_foreign foreign key (company_id, contract_id) references contracts (company_id, id),
  constraint adjuntos_estimate_foreign
    foreign key (company_id, contract_id, estimate_id) references estimates (company_id, contract_id, id) on delete cascade,
  constraint adjuntos_convenio_foreign
    foreign key (company_id, contract_id, convenio_id) references convenios (company_id, contract_id, id) on delete cascade,
  constraint adjuntos_generador_foreign
    foreign key (company_id, contract_id, generador_id) references generadores (company_id, contract_id, id) on delete cascade,
  constraint adjuntos_pago_foreign
    foreign key (company_id, contract_id, pago_id) references pagos (company_id, contract_id, id) on delete cascade,
  constraint adjuntos_tipo_check check (tipo in (
    'image/jpeg', 'image/png', 'image/webp', 'image/heic', 'application/pdf', 'application/xml',
    'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet')),
  constraint adjuntos_bytes_check check (bytes >= 1 and bytes <= 26214400),
  constraint adjuntos_sha256_check check (sha256 ~ '^[0-9a-f]{64}$'),
  constraint adjuntos_estado_check check (estado in ('pendiente', 'listo'))
);
create unique index adjuntos_external_id_unique on adjuntos (company_id, external_id) where external_id is not null;
create index adjuntos_contract_index on adjuntos (company_id, contract_id);
create index adjuntos_estimate_index on adjuntos (company_id, estimate_id) where estimate_id is not null;
create index adjuntos_convenio_index on adjuntos (company_id, convenio_id) where convenio_id is not null;
create index adjuntos_generador_index on adjuntos (company_id, generador_id) where generador_id is not null;
create index adjuntos_pago_index on adjuntos (company_id, pago_id) where pago_id is not null;
create index adjuntos_sha256_index on adjuntos (company_id, sha256);
create index adjuntos_pending_index on adjuntos (company_id, created_at) where estado = 'pendiente';
alter table company_revisions add adjuntos int not null default 0;

call keep_history_of('adjuntos', 'contract_id,estimate_id,convenio_id,generador_id,pago_id,nombre,descripcion,tomada_en,tipo,bytes,sha256,estado,external_id', '', 'company_id', '');
call keep_revisions_of('adjuntos');
call keep_search_of('adjuntos');
