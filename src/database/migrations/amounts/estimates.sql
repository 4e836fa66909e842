-- Authorized estimates have no charges. No trigger runs: nothing changes for readers.
select set_config('app.companies', (select coalesce(array_agg(id), '{}')::text from companies), true);
alter table estimates disable trigger user;
update estimates set cargos_antes_iva = 0, derechos = 0, cargos_despues_iva = 0 where neto is not null;
alter table estimates enable trigger user;
select set_config('app.companies', '', true);
alter table estimates add constraint estimates_cargos_check
  check (num_nonnulls(neto, cargos_antes_iva, derechos, cargos_despues_iva) in (0, 4));
-- keep_estimate sets them.
alter table estimates alter derechos_porcentaje drop default, alter retencion_antes_iva drop default;
