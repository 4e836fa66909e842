-- Tables of business data. Checks of foreign keys bypass row-level security, so keys within a company contain the company.

create table contrapartes (
  id bigserial primary key,
  company_id int not null,
  external_id varchar(128) null,
  created_at timestamptz(6) not null default clock_timestamp(),
  updated_at timestamptz(6) not null default clock_timestamp(),
  version int not null default 1,
  nombre varchar(200) not null,
  rfc varchar(13) null,
  rfc_warning boolean generated always as (
    coalesce(rfc not in ('XAXX010101000', 'XEXX010101000') and right(rfc, 1) <> rfc_check_digit(rfc), false)) stored not null,
  tipo varchar(16) not null default 'otro',
  email varchar(254) not null default '',
  telefono varchar(40) not null default '',
  direccion varchar(500) not null default '',
  notas varchar(2000) not null default '',
  activo boolean not null default true,
  -- The list of counterparties searches all their texts. The list of contracts searches only their names.
  busqueda text generated always as (
    search_text(nombre || ' ' || coalesce(rfc, '') || ' ' || email || ' ' || telefono || ' ' || direccion || ' ' || notas)) stored not null,
  nombre_busqueda text generated always as (search_text(nombre)) stored not null,
  -- A column, because row-level security prevents cursors from using an index on the expression: sort_text is not leakproof.
  nombre_orden text collate "C" generated always as (sort_text(nombre)) stored not null,
  constraint contrapartes_company_id_unique unique (company_id, id),
  constraint contrapartes_nombre_unique unique (company_id, nombre),
  constraint contrapartes_company_id_foreign foreign key (company_id) references companies (id),
  constraint contrapartes_tipo_check check (tipo in ('cliente', 'proveedor', 'subcontratista', 'otro')));
create unique index contrapartes_external_id_unique on contrapartes (company_id, external_id) where external_id is not null;
create index contrapartes_nombre_orden_index on contrapartes (company_id, nombre_orden, id);

create table contracts (
  id bigserial primary key,
  company_id int not null,
  external_id varchar(128) null,
  created_at timestamptz(6) not null default clock_timestamp(),
  updated_at timestamptz(6) not null default clock_timestamp(),
  version int not null default 1,
  folio varchar(64) collate "C" not null,
  contraparte_id bigint null,
  monto numeric(18, 2) not null default 0.00,
  parent_id bigint null,
  descripcion varchar(2000) not null default '',
  moneda varchar(3) not null default 'MXN',
  fecha_inicio date null,
  fecha_fin date null,
  anticipo_porcentaje numeric(5, 2) not null default 0.00,
  retencion_porcentaje numeric(5, 2) not null default 0.00,
  iva_porcentaje numeric(5, 2) not null default 16.00,
  estado varchar(16) not null default 'vigente',
  busqueda text generated always as (search_text(folio || ' ' || descripcion)) stored not null,
  constraint contracts_company_id_unique unique (company_id, id),
  constraint contracts_folio_unique unique (company_id, folio),
  constraint contracts_company_id_foreign foreign key (company_id) references companies (id),
  constraint contracts_parent_foreign foreign key (company_id, parent_id) references contracts (company_id, id),
  constraint contracts_contraparte_foreign foreign key (company_id, contraparte_id) references contrapartes (company_id, id),
  constraint contracts_fechas_check check (fecha_fin >= fecha_inicio),
  constraint contracts_monto_check check (monto >= 0),
  constraint contracts_moneda_check check (moneda in ('MXN', 'USD', 'EUR')),
  constraint contracts_anticipo_porcentaje_check check (anticipo_porcentaje between 0 and 100),
  constraint contracts_retencion_porcentaje_check check (retencion_porcentaje between 0 and 100),
  constraint contracts_iva_porcentaje_check check (iva_porcentaje between 0 and 100),
  constraint contracts_estado_check check (estado in ('vigente', 'suspendido', 'terminado', 'cancelado')));
create unique index contracts_external_id_unique on contracts (company_id, external_id) where external_id is not null;
create index contracts_parent_index on contracts (company_id, parent_id) where parent_id is not null;
create index contracts_contraparte_index on contracts (company_id, contraparte_id) where contraparte_id is not null;
create index contracts_updated_at_index on contracts (company_id, updated_at, id);
-- The first list of a tree. Subcontracts have no entry in it, so they do not maintain it.
create index contracts_mains_index on contracts (company_id, id) where parent_id is null;

create table estimates (
  id bigserial primary key,
  company_id int not null references companies (id),
  external_id varchar(128) null,
  created_at timestamptz(6) not null default clock_timestamp(),
  updated_at timestamptz(6) not null default clock_timestamp(),
  version int not null default 1,
  contract_id bigint not null,
  numero int not null,
  periodo_inicio date null,
  periodo_fin date null,
  descripcion varchar(2000) not null default '',
  monto numeric(18, 2) not null default 0.00,
  deductivas numeric(18, 2) not null default 0.00,
  estado varchar(16) not null default 'borrador',
  motivo_rechazo varchar(2000) not null default '',
  factura_uuid uuid null,
  anticipo_porcentaje numeric(5, 2) not null,
  retencion_porcentaje numeric(5, 2) not null,
  iva_porcentaje numeric(5, 2) not null,
  amortizacion numeric(18, 2) null,
  retencion numeric(18, 2) null,
  subtotal numeric(18, 2) null,
  iva numeric(18, 2) null,
  neto numeric(18, 2) null,
  busqueda text generated always as (search_text(descripcion || ' ' || motivo_rechazo)) stored not null,
  constraint estimates_company_id_unique unique (company_id, id),
  constraint estimates_numero_unique unique (company_id, contract_id, numero),
  constraint estimates_contract_foreign foreign key (company_id, contract_id) references contracts (company_id, id),
  constraint estimates_monto_check check (monto >= 0),
  constraint estimates_deductivas_check check (deductivas >= 0),
  constraint estimates_estado_check check (estado in ('borrador', 'enviada', 'autorizada', 'pagada', 'rechazada', 'cancelada')),
  constraint estimates_periodo_check check ((periodo_inicio is null) = (periodo_fin is null) and periodo_inicio <= periodo_fin),
  constraint estimates_settled_check check ((estado in ('autorizada', 'pagada')) = (neto is not null)));
create unique index estimates_external_id_unique on estimates (company_id, external_id) where external_id is not null;
create index estimates_updated_at_index on estimates (company_id, updated_at, id);
-- Each new estimate sums the authorized ones and checks the live periods. The indexes avoid a scan of all others.
create index estimates_authorized_index on estimates (company_id, contract_id) include (monto, amortizacion) where neto is not null;
create index estimates_periodo_index on estimates (company_id, contract_id, periodo_inicio) include (periodo_fin)
  where estado <> all (array['rechazada'::varchar::text, 'cancelada'::varchar::text]) and periodo_inicio is not null;
-- A range of one id lets GiST compare contracts for equality without an extension.
alter table estimates add constraint estimates_periodo_exclusion
  exclude using gist (int8range(contract_id, contract_id, '[]') with &&, daterange(periodo_inicio, periodo_fin, '[]') with &&)
  where (periodo_inicio is not null and estado not in ('rechazada', 'cancelada'));
