-- Called once for each tenant table, by the migration that creates it. The counter is the column of company_revisions with the table's
-- name.
create or replace procedure keep_revisions_of(resource text)
language plpgsql as $$
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
end
$$;
revoke execute on procedure keep_revisions_of(IN resource text) from public;
