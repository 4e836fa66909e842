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
  monto numeric(18, 2) not null default '0.00',
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
  constraint convenios_dias_check check (dias >= -36500 and dias <= 36500),
  constraint convenios_estado_check check (estado in ('borrador', 'enviado', 'autorizado', 'firmado', 'rechazado', 'cancelado')),
  constraint convenios_fecha_autorizacion_check
    check (estado <> all (array['autorizado', 'firmado']) or fecha_autorizacion is not null),
  constraint convenios_fecha_firma_check check (estado <> 'firmado' or fecha_firma is not null)
);
create unique index convenios_external_id_unique on convenios (company_id, external_id) where external_id is not null;
alter table company_revisions add convenios int not null default 0;

call make_number_within('convenios', 'numero', 'contract_id');
create trigger number_numero before insert on convenios
  for each row execute function number_convenios_numero('numero', 'contract_id');

call keep_history_of('convenios',
  'contract_id,numero,folio,descripcion,monto,dias,con_anticipo,fecha_autorizacion,fecha_firma,motivo_rechazo,estado,external_id',
  '', 'company_id', '');
call keep_revisions_of('convenios');
call keep_search_of('convenios');
