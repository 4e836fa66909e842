alter table "estimates" add "tipo" varchar(16) not null default 'ordinaria', add "anticipo" numeric(18, 2) not null default '0.00';
alter table "estimates" add constraint "estimates_tipo_check" check (tipo in ('ordinaria', 'anticipo', 'finiquito'));
alter table "estimates" add constraint "estimates_anticipo_check" check (anticipo >= 0);
alter table "estimates" add constraint "estimates_advance_check" check ((tipo = 'anticipo') = (anticipo > 0));
alter table "estimates" add constraint "estimates_no_work_check" check (tipo <> 'anticipo' or (monto = 0 and lineas = 0));

-- One finiquito of a contract waits for its authorization.
create unique index "estimates_waiting_finiquito" on "estimates" ("company_id", "contract_id")
  where tipo = 'finiquito' and estado = any (array['borrador', 'enviada']);

-- The sum of the authorized advance documents, and whether a finiquito is authorized.
alter table "contract_sums" add "anticipos" numeric(38, 2) not null default '0.00', add "liquidado" boolean not null default false;
