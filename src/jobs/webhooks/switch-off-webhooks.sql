create or replace function switch_off_webhooks() returns trigger
language plpgsql security definer
set search_path = pg_catalog, public, pg_temp as $$
declare
  admitted constant text := coalesce(current_setting('app.companies', true), '');
begin
  perform lock_companies(array[new.id]);
  perform set_config('app.companies', '{' || new.id || '}', true);
  update webhooks set activo = false, motivo_inactivo = 'The company has moved to another customer.' where company_id = new.id and activo;
  perform set_config('app.companies', admitted, true);
  return null;
end
$$;
revoke execute on function switch_off_webhooks() from public;
