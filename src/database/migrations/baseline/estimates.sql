-- Estimates, with their measurements, movements and payments.

create table estimates (
  id bigserial primary key,
  company_id int not null,
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
  -- The position of the authorization among those of its contract.
  autorizacion int null,
  -- Number of lines, and the sum of the lines that repay no advance.
  lineas int not null default 0,
  sin_anticipo numeric(18, 2) not null default 0.00,
  pagado numeric(18, 2) not null default 0.00,
  derechos_porcentaje numeric(5, 2) not null,
  retencion_antes_iva boolean not null,
  cargos_antes_iva numeric(18, 2) null,
  derechos numeric(18, 2) null,
  cargos_despues_iva numeric(18, 2) null,
  -- Sums of movements with amounts, and the number of the others.
  cargos_fijos_antes numeric(18, 2) not null default 0.00,
  cargos_fijos_despues numeric(18, 2) not null default 0.00,
  porcentajes int not null default 0,
  tipo varchar(16) not null default 'ordinaria',
  anticipo numeric(18, 2) not null default 0.00,
  constraint estimates_company_id_unique unique (company_id, id),
  constraint estimates_contract_id_unique unique (company_id, contract_id, id),
  constraint estimates_company_id_fkey foreign key (company_id) references companies (id),
  constraint estimates_contract_foreign foreign key (company_id, contract_id) references contracts (company_id, id),
  constraint estimates_deductivas_check check (deductivas >= 0),
  constraint estimates_estado_check check (estado in ('borrador', 'enviada', 'autorizada', 'pagada', 'rechazada', 'cancelada')),
  constraint estimates_periodo_check check ((periodo_inicio is null) = (periodo_fin is null) and periodo_inicio <= periodo_fin),
  constraint estimates_settled_check check ((estado in ('autorizada', 'pagada')) = (neto is not null)),
  constraint estimates_autorizacion_check check ((autorizacion is null) = (neto is null)),
  constraint estimates_monto_check check (monto >= 0 or lineas > 0),
  constraint estimates_pagado_check
    check (pagado = 0 and (estado <> 'pagada' or neto = 0)
      or neto is not null and pagado <> 0 and (estado = 'pagada') = (pagado = neto)),
  constraint estimates_porcentajes_check check (porcentajes <= 1000),
  constraint estimates_cargos_check check (num_nonnulls(neto, cargos_antes_iva, derechos, cargos_despues_iva) in (0, 4)),
  constraint estimates_tipo_check check (tipo in ('ordinaria', 'anticipo', 'finiquito')),
  constraint estimates_anticipo_check check (anticipo >= 0),
  constraint estimates_advance_check check ((tipo = 'anticipo') = (anticipo > 0)),
  constraint estimates_no_work_check check (tipo <> 'anticipo' or monto = 0 and lineas = 0),
  -- A range of one id lets GiST compare contracts for equality without an extension.
  constraint estimates_periodo_exclusion
    exclude using gist (int8range(contract_id, contract_id, '[]') with &&, daterange(periodo_inicio, periodo_fin, '[]') with &&)
    where (periodo_inicio is not null and estado not in ('rechazada', 'cancelada')));
create unique index estimates_external_id_unique on estimates (company_id, external_id) where external_id is not null;
create index estimates_updated_at_index on estimates (company_id, updated_at, id);
-- Each new estimate sums the authorized ones and checks the live periods. The indexes avoid a scan of all others.
create index estimates_periodo_index on estimates (company_id, contract_id, periodo_inicio)
  include (periodo_fin)
  where estado <> all (array['rechazada'::varchar::text, 'cancelada'::varchar::text]) and periodo_inicio is not null;
create index estimates_factura_uuid_index on estimates (company_id, factura_uuid) where factura_uuid is not null;
create index estimates_authorized_index on estimates (company_id, contract_id, autorizacion)
  include (monto, amortizacion)
  where neto is not null;
create index estimates_pending_index on estimates (company_id, id) where estado = 'autorizada' and neto <> pagado;
-- One finiquito of a contract waits for its authorization.
create unique index estimates_waiting_finiquito on estimates (company_id, contract_id)
  where tipo = 'finiquito' and estado = any (array['borrador', 'enviada']);
-- Advance documents have their own numbers. One index has both series, because lists and sums by number read estimates of any kind.
create unique index estimates_numero_unique on estimates (company_id, contract_id, numero,
  (case tipo when 'anticipo' then 1 else 0 end));
create index estimates_advances_index on estimates (company_id, contract_id, numero) where tipo = 'anticipo';

-- Sums of live estimates, by blocks of consecutive numbers.
create table estimate_sums (
  company_id int not null,
  contract_id bigint not null,
  level smallint not null,
  block int not null,
  monto numeric(38, 2) not null,
  primary key (company_id, contract_id, level, block),
  constraint estimate_sums_contract_foreign foreign key (company_id, contract_id) references contracts (company_id, id) on delete cascade);

-- Measurements of estimates.
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
  constraint generadores_contract_id_unique unique (company_id, contract_id, id),
  constraint generadores_company_id_foreign foreign key (company_id) references companies (id),
  constraint generadores_estimate_foreign foreign key (company_id, estimate_id) references estimates (company_id, id) on delete cascade,
  constraint generadores_concepto_foreign
    foreign key (company_id, contract_id, concepto_id) references conceptos (company_id, contract_id, id),
  constraint generadores_contract_foreign foreign key (company_id, contract_id) references contracts (company_id, id),
  constraint generadores_cantidad_check
    check (not (piezas is not null or largo is not null or ancho is not null or alto is not null)
      or cantidad = round(coalesce(piezas, 1) * coalesce(largo, 1) * coalesce(ancho, 1) * coalesce(alto, 1), 4)));
create unique index generadores_external_id_unique on generadores (company_id, external_id) where external_id is not null;
create index generadores_updated_at_index on generadores (company_id, updated_at, id);
create index generadores_estimate_index on generadores (company_id, estimate_id);
create index generadores_concepto_index on generadores (company_id, concepto_id);

-- One line for each concept of an estimate: the sum of its measurements. The columns from `anterior` on are set by the authorization.
create table estimate_lines (
  company_id int not null,
  estimate_id bigint not null,
  concepto_id bigint not null,
  numero int not null,
  generadores int not null,
  cantidad numeric(18, 4) not null,
  precio_unitario numeric(18, 6) not null,
  con_anticipo boolean not null default true,
  importe numeric(18, 2) generated always as (round(cantidad * precio_unitario, 2)) stored not null,
  anterior numeric(38, 4) null,
  importe_anterior numeric(38, 2) null,
  vigente numeric(38, 4) null,
  excedente numeric(38, 4) null,
  primary key (company_id, estimate_id, concepto_id),
  constraint estimate_lines_estimate_foreign
    foreign key (company_id, estimate_id) references estimates (company_id, id) on delete cascade,
  constraint estimate_lines_concepto_foreign
    foreign key (company_id, concepto_id) references conceptos (company_id, id) on delete cascade);
create index estimate_lines_concepto_index on estimate_lines (company_id, concepto_id, numero);

create table movimientos (
  id bigserial primary key,
  company_id int not null,
  external_id varchar(128) null,
  created_at timestamptz(6) not null default clock_timestamp(),
  updated_at timestamptz(6) not null default clock_timestamp(),
  version int not null default 1,
  estimate_id bigint not null,
  contract_id bigint not null,
  tipo varchar(16) not null,
  sentido varchar(16) not null default 'cargo',
  motivo varchar(500) not null,
  antes_iva boolean not null,
  importe numeric(18, 2) null,
  porcentaje numeric(9, 6) null,
  base varchar(16) not null default 'monto',
  busqueda text generated always as (search_text(motivo)) stored not null,
  constraint movimientos_company_id_unique unique (company_id, id),
  constraint movimientos_company_id_foreign foreign key (company_id) references companies (id),
  constraint movimientos_estimate_foreign foreign key (company_id, estimate_id) references estimates (company_id, id) on delete cascade,
  constraint movimientos_contract_foreign foreign key (company_id, contract_id) references contracts (company_id, id),
  constraint movimientos_amount_check check (importe > 0 or porcentaje is not null),
  constraint movimientos_tax_check check (not antes_iva or base = 'monto'),
  constraint movimientos_tipo_check check (tipo in ('deductiva', 'retencion', 'pena', 'fondo_garantia', 'impuesto', 'otro')),
  constraint movimientos_sentido_check check (sentido in ('cargo', 'abono')),
  constraint movimientos_importe_check check (importe >= 0),
  constraint movimientos_porcentaje_check check (porcentaje >= 0),
  constraint movimientos_base_check check (base in ('monto', 'subtotal', 'iva')));
create unique index movimientos_external_id_unique on movimientos (company_id, external_id) where external_id is not null;
create index movimientos_estimate_index on movimientos (company_id, estimate_id);
create index movimientos_contract_index on movimientos (company_id, contract_id);

-- What authorized estimates of a contract took, less what they returned.
create table movement_sums (
  company_id int not null,
  contract_id bigint not null,
  tipo varchar(16) not null,
  antes_iva boolean not null,
  tomado numeric(38, 2) not null,
  primary key (company_id, contract_id, tipo, antes_iva),
  constraint movement_sums_contract_foreign foreign key (company_id, contract_id) references contracts (company_id, id) on delete cascade);

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
  constraint pagos_contract_id_unique unique (company_id, contract_id, id),
  constraint pagos_company_id_foreign foreign key (company_id) references companies (id),
  constraint pagos_estimate_foreign foreign key (company_id, estimate_id) references estimates (company_id, id),
  constraint pagos_contract_foreign foreign key (company_id, contract_id) references contracts (company_id, id),
  constraint pagos_importe_check check (importe <> 0));
create unique index pagos_external_id_unique on pagos (company_id, external_id) where external_id is not null;
create index pagos_estimate_index on pagos (company_id, estimate_id) include (importe);
