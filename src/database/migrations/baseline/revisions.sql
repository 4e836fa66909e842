-- Revisions, counters and the change log, which every committed write updates.

create function add_company_revision() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  insert into company_revisions (company_id) values (new.id);
  return null;
end $$;
create trigger add_company_revision after insert on companies for each row execute function add_company_revision();

-- Writers of a company wait here for each other. The order of companies prevents deadlocks between writers of several companies. It looks
-- each company up: with few companies, one query would read the whole table, with all old versions of its rows.
create function lock_companies(companies int[]) returns void
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare company int;
begin
  for company in select distinct c from unnest(companies) c order by c loop
    perform from company_revisions where company_id = company for update;
  end loop;
end $$;

-- The locked companies of a turn after a lock timeout. The service's role cannot lock these rows itself. `for share`, so that concurrent
-- calls do not count each other as writers.
create function locked_companies(companies int[]) returns int[]
language sql security definer set search_path = pg_catalog, public, pg_temp as $$
  with unlocked as materialized (
    select company_id from company_revisions where company_id = any (companies) for share skip locked)
  select array(select company from unnest(companies) company where company not in (select company_id from unlocked))
$$;

create function touch_record() returns trigger language plpgsql as $$
begin
  if new.company_id <> old.company_id then
    raise exception 'a record cannot move to another company' using errcode = 'check_violation';
  end if;
  if new.id <> old.id then
    raise exception 'a record keeps its id: references, cycles and the change log go by it' using errcode = 'check_violation';
  end if;
  new.version := old.version + 1;
  new.created_at := old.created_at;
  new.updated_at := clock_timestamp();
  return new;
end $$;

create function refuse_truncate() returns trigger language plpgsql as $$
begin
  raise exception 'delete the rows instead: truncate would pass by revisions and counters' using errcode = 'feature_not_supported';
end $$;

-- Called once for each tenant table, by the migration that creates it. The counter is the column of company_revisions with the table's
-- name.
create procedure keep_revisions_of(resource text) language plpgsql as $procedure$
declare
  body text := $body$
    begin
      if tg_op = 'INSERT' then
        perform lock_companies(array(select distinct company_id from new_rows));
        with touched as (select company_id, count(*) as n from new_rows group by company_id),
        raised as (
          update company_revisions r set revision = revision + 1, stamp = stamp_of(clock_timestamp()), %1$I = %1$I + touched.n
          from touched where r.company_id = touched.company_id returning r.company_id, r.revision, r.stamp)
        insert into changes (company_id, revision, resource, record_id, operation, changed_at)
        select company_id, revision, %1$L, id, 'insert', stamp_time(stamp) from new_rows join raised using (company_id);
      elsif tg_op = 'DELETE' then
        perform lock_companies(array(select distinct company_id from old_rows));
        with touched as (select company_id, count(*) as n from old_rows group by company_id),
        raised as (
          update company_revisions r set revision = revision + 1, stamp = stamp_of(clock_timestamp()), %1$I = %1$I - touched.n
          from touched where r.company_id = touched.company_id returning r.company_id, r.revision, r.stamp)
        insert into changes (company_id, revision, resource, record_id, operation, changed_at)
        select company_id, revision, %1$L, id, 'delete', stamp_time(stamp) from old_rows join raised using (company_id);
      else
        perform lock_companies(array(select distinct company_id from new_rows));
        with raised as (
          update company_revisions set revision = revision + 1, stamp = stamp_of(clock_timestamp())
          where company_id in (select company_id from new_rows) returning company_id, revision, stamp)
        insert into changes (company_id, revision, resource, record_id, operation, changed_at)
        select company_id, revision, %1$L, id, 'update', stamp_time(stamp) from new_rows join raised using (company_id);
      end if;
      return null;
    end $body$;
begin
  execute format('create or replace function %I() returns trigger language plpgsql security definer set search_path = pg_catalog, public, pg_temp as %L',
    resource || '_revision', format(body, resource));
  -- Nobody else may put it on a table of their own, whose rows would then be counted as this one's.
  execute format('revoke execute on function %I() from public', resource || '_revision');
  execute format('create or replace trigger revision_insert after insert on %1$I referencing new table as new_rows for each statement execute function %2$I()', resource, resource || '_revision');
  execute format('create or replace trigger revision_update after update on %1$I referencing new table as new_rows for each statement execute function %2$I()', resource, resource || '_revision');
  execute format('create or replace trigger revision_delete after delete on %1$I referencing old table as old_rows for each statement execute function %2$I()', resource, resource || '_revision');
  execute format('create or replace trigger touch_record before update on %1$I for each row execute function touch_record()', resource);
  execute format('create or replace trigger refuse_truncate before truncate on %1$I for each statement execute function refuse_truncate()', resource);
  execute format('grant select, insert, update, delete on %1$I to obra_app', resource);
  execute format('grant usage, select on sequence %I to obra_app', resource || '_id_seq');
end $procedure$;
call keep_revisions_of('contrapartes');
call keep_revisions_of('contracts');
call keep_revisions_of('estimates');
call keep_revisions_of('webhooks');
