-- Reports show the name of their company, and its time zone decides which records a list finds. So a change of either raises the revision, as a
-- change of a record does. The log has no entry of it: the revision is kept with the purged ones, by which the feed recognizes a cursor.
create or replace function raise_company_revision() returns trigger
language plpgsql security definer
set search_path = pg_catalog, public, pg_temp as $$
declare
  admitted constant text := coalesce(current_setting('app.companies', true), '');
  changed constant int[] := array(
    select n.id from new_rows n join old_rows o on o.id = n.id where n.nombre <> o.nombre or n.zona_horaria <> o.zona_horaria);
begin
  if changed = '{}' then
    return null;
  end if;
  perform lock_companies(changed);
  perform set_config('app.companies', changed::text, true);
  with raised as (
    update company_revisions set revision = revision + 1, stamp = stamp_of(clock_timestamp())
    where company_id = any (changed) returning company_id, revision, stamp)
  insert into purged_revisions (company_id, revision, stamp, has_deletes)
  select company_id, revision, stamp, false from raised;
  perform set_config('app.companies', admitted, true);
  return null;
end
$$;
revoke execute on function raise_company_revision() from public;
