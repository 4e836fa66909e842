-- Contracts and what belongs to them. Checks of foreign keys bypass row-level security, so keys within a company contain the company.
-- Keys that contain the contract keep a record of one contract from referring to one of another.

create table contrapartes (
  id bigserial primary key,
  company_id int not null,
  external_id varchar(128) null,
  created_at timestamptz(6) not null default clock_timestamp(),
  updated_at timestamptz(6) not null default clock_timestamp(),
  version int not null default 1,
  nombre varchar(250) not null,
  rfc varchar(13) null,
  rfc_warning boolean generated always as (
    coalesce(rfc not in ('XAXX010101000', 'XEXX010101000') and right(rfc, 1) <> rfc_check_digit(rfc), false)) stored not null,
  tipo varchar(16) not null default 'otro',
  email varchar(254) not null default '',
  telefono varchar(100) not null default '',
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
  monto_rows int not null default 0,
  derechos_porcentaje numeric(5, 2) not null default 0.00,
  retencion_antes_iva boolean not null default true,
  constraint contracts_company_id_unique unique (company_id, id),
  constraint contracts_folio_unique unique (company_id, folio),
  constraint contracts_company_id_foreign foreign key (company_id) references companies (id),
  constraint contracts_parent_foreign foreign key (company_id, parent_id) references contracts (company_id, id),
  constraint contracts_contraparte_foreign foreign key (company_id, contraparte_id) references contrapartes (company_id, id),
  constraint contracts_fechas_check check (fecha_fin >= fecha_inicio),
  constraint contracts_monto_check check (monto >= 0),
  constraint contracts_moneda_check check (moneda in ('MXN', 'USD', 'EUR')),
  constraint contracts_anticipo_porcentaje_check check (anticipo_porcentaje >= 0 and anticipo_porcentaje <= 100),
  constraint contracts_retencion_porcentaje_check check (retencion_porcentaje >= 0 and retencion_porcentaje <= 100),
  constraint contracts_iva_porcentaje_check check (iva_porcentaje >= 0 and iva_porcentaje <= 100),
  constraint contracts_estado_check check (estado in ('vigente', 'suspendido', 'terminado', 'cancelado')),
  constraint contracts_derechos_porcentaje_check check (derechos_porcentaje >= 0 and derechos_porcentaje <= 100));
create unique index contracts_external_id_unique on contracts (company_id, external_id) where external_id is not null;
create index contracts_parent_index on contracts (company_id, parent_id) where parent_id is not null;
create index contracts_contraparte_index on contracts (company_id, contraparte_id) where contraparte_id is not null;
create index contracts_updated_at_index on contracts (company_id, updated_at, id);
-- The first list of a tree. Subcontracts have no entry in it, so they do not maintain it.
create index contracts_mains_index on contracts (company_id, id) where parent_id is null;

-- Levels of contracts with subcontracts. `levels` counts the contract itself. 51 stands for any larger number.
create table contract_levels (
  company_id int not null,
  contract_id bigint not null,
  parent_id bigint null,
  levels smallint not null,
  primary key (company_id, contract_id),
  constraint contract_levels_contract_foreign
    foreign key (company_id, contract_id) references contracts (company_id, id) on delete cascade,
  constraint contract_levels_parent_foreign foreign key (company_id, parent_id) references contracts (company_id, id));
create index contract_levels_parent_index on contract_levels (company_id, parent_id, levels);

create table subcontract_sums (
  company_id int not null,
  parent_id bigint not null,
  moneda varchar(3) not null,
  hijos int not null,
  monto numeric(38, 2) not null,
  primary key (company_id, parent_id, moneda),
  constraint subcontract_sums_parent_foreign foreign key (company_id, parent_id) references contracts (company_id, id) on delete cascade);

create table contract_sums (
  company_id int not null,
  contract_id bigint not null,
  vivas int not null,
  monto numeric(38, 2) not null,
  autorizado numeric(38, 2) not null,
  amortizacion numeric(38, 2) not null,
  acordados int not null default 0,
  firmados int not null default 0,
  convenios numeric(38, 2) not null default 0.00,
  convenios_sin_anticipo numeric(38, 2) not null default 0.00,
  dias int not null default 0,
  extra numeric(38, 2) not null default 0.00,
  con_lineas int not null default 0,
  monto_lineas numeric(38, 2) not null default 0.00,
  anticipos numeric(38, 2) not null default 0.00,
  liquidado boolean not null default false,
  primary key (company_id, contract_id),
  constraint contract_sums_contract_foreign foreign key (company_id, contract_id) references contracts (company_id, id) on delete cascade);

-- Change orders.
create table convenios (
  id bigserial primary key,
  company_id int not null,
  external_id varchar(128) null,
  created_at timestamptz(6) not null default clock_timestamp(),
  updated_at timestamptz(6) not null default clock_timestamp(),
  version int not null default 1,
  contract_id bigint not null,
  numero int not null,
  folio varchar(64) not null default '',
  descripcion varchar(2000) not null default '',
  monto numeric(18, 2) not null default 0.00,
  monto_rows int not null default 0,
  dias int not null default 0,
  con_anticipo boolean not null default false,
  fecha_autorizacion date null,
  fecha_firma date null,
  motivo_rechazo varchar(2000) not null default '',
  estado varchar(16) not null default 'borrador',
  busqueda text generated always as (search_text(folio || ' ' || descripcion)) stored not null,
  constraint convenios_company_id_unique unique (company_id, id),
  constraint convenios_contract_id_unique unique (company_id, contract_id, id),
  constraint convenios_numero_unique unique (company_id, contract_id, numero),
  constraint convenios_company_id_foreign foreign key (company_id) references companies (id),
  constraint convenios_contract_foreign foreign key (company_id, contract_id) references contracts (company_id, id),
  constraint convenios_dias_check check (dias >= '-36500' and dias <= 36500),
  constraint convenios_estado_check check (estado in ('borrador', 'enviado', 'autorizado', 'firmado', 'rechazado', 'cancelado')),
  constraint convenios_fecha_autorizacion_check
    check (estado <> all (array['autorizado', 'firmado']) or fecha_autorizacion is not null),
  constraint convenios_fecha_firma_check check (estado <> 'firmado' or fecha_firma is not null));
create unique index convenios_external_id_unique on convenios (company_id, external_id) where external_id is not null;

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
  constraint conceptos_precio_unitario_check check (precio_unitario >= 0));
create unique index conceptos_external_id_unique on conceptos (company_id, external_id) where external_id is not null;
create unique index conceptos_clave_unique on conceptos (company_id, contract_id, clave, convenio_id) nulls not distinct;
create index conceptos_capitulo_index on conceptos (company_id, contract_id, capitulo);
create index conceptos_convenio_index on conceptos (company_id, convenio_id) where convenio_id is not null;

-- What authorized estimates have of a concept.
create table concepto_sums (
  company_id int not null,
  concepto_id bigint not null,
  cantidad numeric(38, 4) not null,
  importe numeric(38, 2) not null,
  primary key (company_id, concepto_id),
  constraint concepto_sums_concepto_foreign foreign key (company_id, concepto_id) references conceptos (company_id, id) on delete cascade);

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
  constraint programa_importe_check check (importe <> 0));
create unique index programa_external_id_unique on programa (company_id, external_id) where external_id is not null;
create index programa_contract_index on programa (company_id, contract_id);
create index programa_convenio_index on programa (company_id, convenio_id) where convenio_id is not null;
