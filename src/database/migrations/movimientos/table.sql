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
  constraint movimientos_estimate_foreign
    foreign key (company_id, estimate_id) references estimates (company_id, id) on delete cascade,
  constraint movimientos_contract_foreign foreign key (company_id, contract_id) references contracts (company_id, id),
  constraint movimientos_amount_check check (importe > 0 or porcentaje is not null),
  constraint movimientos_tax_check check (not antes_iva or base = 'monto'),
  constraint movimientos_tipo_check check (tipo in ('deductiva', 'retencion', 'pena', 'fondo_garantia', 'impuesto', 'otro')),
  constraint movimientos_sentido_check check (sentido in ('cargo', 'abono')),
  constraint movimientos_importe_check check (importe >= 0),
  constraint movimientos_porcentaje_check check (porcentaje >= 0),
  constraint movimientos_base_check check (base in ('monto', 'subtotal', 'iva'))
);
create unique index movimientos_external_id_unique on movimientos (company_id, external_id) where external_id is not null;
create index movimientos_estimate_index on movimientos (company_id, estimate_id);
create index movimientos_contract_index on movimientos (company_id, contract_id);
alter table company_revisions add movimientos int not null default 0;

call keep_history_of('movimientos',
  'estimate_id,contract_id,tipo,sentido,motivo,antes_iva,importe,porcentaje,base,external_id', '', 'company_id', '');
call keep_revisions_of('movimientos');
call keep_search_of('movimientos');

-- What authorized estimates of a contract took, less what they returned.
create table movement_sums (
  company_id int not null,
  contract_id bigint not null,
  tipo varchar(16) not null,
  antes_iva boolean not null,
  tomado numeric(38, 2) not null,
  primary key (company_id, contract_id, tipo, antes_iva),
  constraint movement_sums_contract_foreign
    foreign key (company_id, contract_id) references contracts (company_id, id) on delete cascade
);
grant select on movement_sums to obra_app;

-- A movement has either an amount or a percentage. The authorization of its estimate stores the amount of a percentage.
create function refuse_amounts() returns trigger language plpgsql as $$
begin
  raise exception 'a movement has either an amount or a percentage' using errcode = 'check_violation', constraint = 'movimientos_one';
end $$;
create trigger keep_one_insert before insert on movimientos
  for each row when (num_nonnulls(new.importe, new.porcentaje) <> 1) execute function refuse_amounts();
create trigger keep_one_update before update on movimientos
  for each row when (pg_trigger_depth() = 0
    and (new.importe is distinct from old.importe or new.porcentaje is distinct from old.porcentaje)
    and num_nonnulls(new.importe, new.porcentaje) <> 1)
  execute function refuse_amounts();
