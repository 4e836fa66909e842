-- Forced row-level security: a transaction sees only rows of the companies in app.companies. The subquery reads the setting once per
-- statement.
do $$
declare
  walled name;
  admitted constant text := 'company_id = any ((select nullif(current_setting(''app.companies'', true), '''')::int[])::int[])';
begin
  foreach walled in array array[
    'contrapartes', 'contracts', 'estimates', 'changes', 'purged_revisions', 'idempotency_keys',
    'devices', 'mutations', 'device_refs', 'webhooks', 'webhook_deliveries']
  loop
    execute format('alter table %I enable row level security, force row level security', walled);
    execute format('create policy company_admitted on %1$I using (%2$s) with check (%2$s)',
      walled, case walled when 'idempotency_keys' then 'company_id is null or ' || admitted else admitted end);
  end loop;
end $$;
