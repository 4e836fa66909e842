create table conceptos (
  id bigserial primary key,
  company_id int not null,
  external_id varchar(128) null,
  created_at timestamptz(6) not null default clock_timestamp(),
  updated_at timestamptz(6) not null default clock_timestamp(),
  version int not null default 1,
  contract_id bigint not null,
  convenio_id bigint null,
  clave varchar(64) collate "C" not null,
  capitulo varchar(200) collate "C" not null default '',
  descripcion varchar(2000) not null default '',
  unidad varchar(16) not null,
  cantidad numeric(18, 4) not null,
  precio_unitario numeric(18, 6) not null,
  alzado boolean not null default false,
  importe numeric(18, 2) generated always as (round(cantidad * precio_unitario, 2)) stored not null,
  busqueda text generated always as (search_text(clave || ' ' || descripcion || ' ' || capitulo)) stored not null,
  constraint conceptos_company_id_unique unique (company_id, id),
  constraint conceptos_contract_id_unique unique (company_id, contract_id, id),
  constraint conceptos_company_id_foreign foreign key (company_id) references companies (id),
  constraint conceptos_contract_foreign foreign key (company_id, contract_id) references contracts (company_id, id),
  constraint conceptos_convenio_foreign
    foreign key (company_id, contract_id, convenio_id) references convenios (company_id, contract_id, id),
  constraint conceptos_cantidad_check check (cantidad >= 0 or convenio_id is not null),
  constraint conceptos_precio_unitario_check check (precio_unitario >= 0)
);
create unique index conceptos_external_id_unique on conceptos (company_id, external_id) where external_id is not null;
create unique index conceptos_clave_unique on conceptos (company_id, contract_id, clave, convenio_id) nulls not distinct;
create index conceptos_capitulo_index on conceptos (company_id, contract_id, capitulo);
create index conceptos_convenio_index on conceptos (company_id, convenio_id) where convenio_id is not null;
alter table company_revisions add conceptos int not null default 0;

call keep_history_of('conceptos',
  'contract_id,convenio_id,clave,capitulo,descripcion,unidad,cantidad,precio_unitario,alzado,importe,external_id',
  '', 'company_id', '');
call keep_revisions_of('conceptos');
call keep_search_of('conceptos');
