-- Contracts have an inspection fee (derechos), and a retention before or after tax. Estimates copy both.
alter table contracts
  add derechos_porcentaje numeric(5, 2) not null default '0.00',
  add retencion_antes_iva boolean not null default true,
  add constraint contracts_derechos_porcentaje_check check (derechos_porcentaje >= 0 and derechos_porcentaje <= 100);

-- `cargos_fijos_…` are the sums of movements with amounts, and `porcentajes` is the number of the others.
alter table estimates
  add derechos_porcentaje numeric(5, 2) not null default '0.00',
  add retencion_antes_iva boolean not null default true,
  add cargos_antes_iva numeric(18, 2) null,
  add derechos numeric(18, 2) null,
  add cargos_despues_iva numeric(18, 2) null,
  add cargos_fijos_antes numeric(18, 2) not null default '0.00',
  add cargos_fijos_despues numeric(18, 2) not null default '0.00',
  add porcentajes int not null default 0,
  add constraint estimates_porcentajes_check check (porcentajes <= 1000);

-- What authorized estimates have retained can be returned.
select set_config('app.companies', (select coalesce(array_agg(id), '{}')::text from companies), true);
insert into movement_sums (company_id, contract_id, tipo, antes_iva, tomado)
select company_id, contract_id, 'fondo_garantia', true, sum(retencion) from estimates
where neto is not null group by 1, 2 having sum(retencion) <> 0;
select set_config('app.companies', '', true);
