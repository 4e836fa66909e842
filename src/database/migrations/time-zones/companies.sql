-- Reports show the name of their company, and its time zone decides which records a list finds. So a change of either raises the revision, as a
-- change of a record does. The log has no entry of it: the revision is kept with the purged ones, by which the feed recognizes a cursor.
create or replace function raise_company_revision() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
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
end $$;

-- Sessions keep the zone of their active company. Only those of its users are read again.
create function raise_authority_of_company() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  perform raise_authority(u.bucket)
  from (select distinct id % 256 as bucket from users where company_id = new.id order by bucket) u;
  return null;
end $$;
revoke execute on function raise_authority_of_company() from public;
create constraint trigger raise_authority_of_zone after update on companies deferrable initially deferred for each row
  when (old.zona_horaria <> new.zona_horaria) execute function raise_authority_of_company();

-- Servers take the names that their ICU knows. Some of them are unknown here, and would make each later use of the zone fail.
create function keep_time_zone() returns trigger language plpgsql as $$
begin
  perform now() at time zone new.zona_horaria;
  return new;
exception when invalid_parameter_value then
  raise exception 'the time zone of company % is unknown', new.id
    using errcode = 'check_violation', constraint = 'companies_zona_horaria_known';
end $$;
create trigger keep_time_zone before insert or update of zona_horaria on companies
  for each row execute function keep_time_zone();
