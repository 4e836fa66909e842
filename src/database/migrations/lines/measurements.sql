-- Measurements (generadores) of estimates.
create table generadores (
  id bigserial primary key,
  company_id int not null,
  external_id varchar(128) null,
  created_at timestamptz(6) not null default clock_timestamp(),
  updated_at timestamptz(6) not null default clock_timestamp(),
  version int not null default 1,
  estimate_id bigint not null,
  concepto_id bigint not null,
  contract_id bigint not null,
  ubicacion varchar(200) not null default '',
  piezas numeric(18, 4) null,
  largo numeric(18, 4) null,
  ancho numeric(18, 4) null,
  alto numeric(18, 4) null,
  cantidad numeric(18, 4) not null,
  observaciones varchar(500) not null default '',
  busqueda text generated always as (search_text(ubicacion || ' ' || observaciones)) stored not null,
  constraint generadores_company_id_unique unique (company_id, id),
  constraint generadores_company_id_foreign foreign key (company_id) references companies (id),
  constraint generadores_estimate_foreign
    foreign key (company_id, estimate_id) references estimates (company_id, id) on delete cascade,
  constraint generadores_concepto_foreign
    foreign key (company_id, contract_id, concepto_id) references conceptos (company_id, contract_id, id),
  constraint generadores_contract_foreign foreign key (company_id, contract_id) references contracts (company_id, id),
  constraint generadores_cantidad_check
    check (not (piezas is not null or largo is not null or ancho is not null or alto is not null)
      or cantidad = round(coalesce(piezas, 1) * coalesce(largo, 1) * coalesce(ancho, 1) * coalesce(alto, 1), 4))
);
create unique index generadores_external_id_unique on generadores (company_id, external_id) where external_id is not null;
create index generadores_updated_at_index on generadores (company_id, updated_at, id);
create index generadores_estimate_index on generadores (company_id, estimate_id);
create index generadores_concepto_index on generadores (company_id, concepto_id);
create index generadores_contract_index on generadores (company_id, contract_id);
alter table company_revisions add generadores int not null default 0;

call keep_history_of('generadores',
  'estimate_id,concepto_id,contract_id,ubicacion,piezas,largo,ancho,alto,cantidad,observaciones,external_id',
  '', 'company_id', '');
call keep_revisions_of('generadores');
call keep_search_of('generadores');
