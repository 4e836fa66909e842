-- Attachments and the bytes of their files.

-- Bytes that a company has stored. `removing`: they may be gone already.
create table stored_files (
  company_id int not null,
  sha256 varchar(64) not null,
  bytes int not null,
  tipo varchar(80) not null,
  unused_since timestamptz(6) null,
  removing boolean not null default false,
  cfdi jsonb null,
  primary key (company_id, sha256),
  constraint stored_files_company_id_foreign foreign key (company_id) references companies (id));
create index stored_files_bytes_index on stored_files (company_id) include (bytes);
create index stored_files_unused_index on stored_files (company_id, unused_since) where unused_since is not null;

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
  cfdi_uuid uuid null,
  cfdi_tipo varchar(1) null,
  cfdi_emisor varchar(13) null,
  cfdi_receptor varchar(13) null,
  cfdi_total numeric(18, 6) null,
  cfdi_moneda varchar(3) null,
  cfdi_fecha date null,
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
  constraint adjuntos_estado_check check (estado in ('pendiente', 'listo')),
  constraint adjuntos_cfdi_check
    check (num_nonnulls(cfdi_uuid, cfdi_tipo, cfdi_emisor, cfdi_receptor, cfdi_total, cfdi_moneda, cfdi_fecha) in (0, 7)));
create unique index adjuntos_external_id_unique on adjuntos (company_id, external_id) where external_id is not null;
create index adjuntos_contract_index on adjuntos (company_id, contract_id);
create index adjuntos_estimate_index on adjuntos (company_id, estimate_id) where estimate_id is not null;
create index adjuntos_convenio_index on adjuntos (company_id, convenio_id) where convenio_id is not null;
create index adjuntos_generador_index on adjuntos (company_id, generador_id) where generador_id is not null;
create index adjuntos_pago_index on adjuntos (company_id, pago_id) where pago_id is not null;
create index adjuntos_sha256_index on adjuntos (company_id, sha256);
create index adjuntos_pending_index on adjuntos (company_id, created_at) where estado = 'pendiente';
create index adjuntos_cfdi_uuid_index on adjuntos (company_id, cfdi_uuid) where cfdi_uuid is not null;
create index adjuntos_invoices_index on adjuntos (company_id, estimate_id, id) where cfdi_tipo = 'I';

-- Running uploads. A row outlives a killed process, so its bytes are found.
create table uploads (
  id uuid primary key,
  company_id int not null,
  sha256 varchar(64) not null,
  bytes int not null,
  begun_at timestamptz(6) not null default clock_timestamp(),
  adjunto_id bigint null,
  active_at timestamptz(6) null,
  constraint uploads_company_id_foreign foreign key (company_id) references companies (id),
  constraint uploads_adjunto_foreign
    foreign key (company_id, adjunto_id) references adjuntos (company_id, id) on delete set null (adjunto_id));
create index uploads_begun_at_index on uploads (company_id, begun_at);
create unique index uploads_adjunto_unique on uploads (company_id, adjunto_id) where adjunto_id is not null;
