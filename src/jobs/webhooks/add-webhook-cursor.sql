-- A webhook starts after the present revision. It keeps the highest ids of that moment: records with higher ids are new.
create or replace function add_webhook_cursor() returns trigger
language plpgsql
set search_path = pg_catalog, public, pg_temp as $$
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
end
$$;
