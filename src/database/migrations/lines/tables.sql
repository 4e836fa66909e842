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
    foreign key (company_id, concepto_id) references conceptos (company_id, id) on delete cascade
);
create index estimate_lines_concepto_index on estimate_lines (company_id, concepto_id, numero);

-- What authorized estimates have of a concept.
create table concepto_sums (
  company_id int not null,
  concepto_id bigint not null,
  cantidad numeric(38, 4) not null,
  importe numeric(38, 2) not null,
  primary key (company_id, concepto_id),
  constraint concepto_sums_concepto_foreign
    foreign key (company_id, concepto_id) references conceptos (company_id, id) on delete cascade
);
grant select on estimate_lines, concepto_sums to obra_app;

alter table contract_sums add con_lineas int not null default 0, add monto_lineas numeric(38, 2) not null default '0.00';

-- Estimates know the number and the sum of their lines. `sin_anticipo` is the sum of the lines that repay no advance.
alter table estimates drop constraint estimates_monto_check;
alter table estimates add lineas int not null default 0, add sin_anticipo numeric(18, 2) not null default '0.00';
alter table estimates add constraint estimates_monto_check check (monto >= 0 or lineas > 0);
create trigger derive_monto_insert before insert on estimates
  for each row when (new.lineas <> 0) execute function refuse_derived('monto');
create trigger derive_monto_update before update on estimates
  for each row when (pg_trigger_depth() = 0 and (new.lineas <> old.lineas or (old.lineas > 0 and new.monto <> old.monto)))
  execute function refuse_derived('monto');
