-- Cursors of webhooks.

-- A webhook starts after the present revision. It keeps the highest ids of that moment: records with higher ids are new.
create function add_webhook_cursor() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
declare
  resource text;
  highest bigint;
  known jsonb := '{}';
begin
  for resource in
    select c.relname from pg_trigger t join pg_class c on c.oid = t.tgrelid
    where t.tgname = 'revision_insert' and c.relnamespace = 'public'::regnamespace
  loop
    execute format('select max(id) from %I where company_id = $1', resource) into highest using new.company_id;
    known := known || jsonb_build_object(resource, coalesce(highest, 0));
  end loop;
  insert into webhook_cursors (webhook_id, company_id, activo, revision, position)
  select new.id, new.company_id, new.activo, r.revision, jsonb_build_object('resource', '', 'record_id', 0, 'known', known, 'horizon', null, 'next_known', null, 'opened', null)
  from company_revisions r where r.company_id = new.company_id;
  return null;
end $$;
create trigger add_webhook_cursor after insert on webhooks for each row execute function add_webhook_cursor();

create function clear_motivo_inactivo() returns trigger language plpgsql as $$
begin
  new.motivo_inactivo := null;
  return new;
end $$;
create trigger clear_motivo_inactivo before update of activo on webhooks
  for each row when (new.activo and not old.activo) execute function clear_motivo_inactivo();

create function retry_webhook() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  update webhook_cursors
  set activo = new.activo, epoch = epoch + 1, failures = 0, failing_since = null, next_attempt_at = null, skip_to = null
  where webhook_id = new.id;
  return null;
end $$;
create trigger retry_webhook after update of url, activo on webhooks
  for each row when (old.url <> new.url or old.activo <> new.activo) execute function retry_webhook();
