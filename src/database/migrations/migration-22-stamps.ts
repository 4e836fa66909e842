import { Migration } from '@mikro-orm/migrations'

const admitted = "company_id = any ((select nullif(current_setting('app.companies', true), '')::int[])::int[])"

/**
 * A stamp for each revision: the microsecond at which it was raised. After the database has returned to an earlier state, it gives revisions
 * out again for other content, but never with the same stamp.
 */
export class Migration22Stamps extends Migration {
  override up (): void {
    this.addSql('alter table "company_revisions" add column "stamp" bigint not null default \'0\';')
    this.addSql('create function stamp_of(instant timestamptz) returns bigint language sql stable return (extract(epoch from instant) * 1000000)::bigint')
    this.addSql("create function stamp_time(stamp bigint) returns timestamptz language sql stable return 'epoch'::timestamptz + stamp * interval '1 microsecond'")
    this.revisions()
    this.authority()
    this.purged()
  }

  private revisions (): void {
    this.addSql(String.raw`
      create or replace procedure keep_revisions_of(resource text) language plpgsql as $procedure$
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
      end $procedure$`)
    // Also for tables of resources that others have added.
    this.addSql(`
      do $$ declare resource text; begin
        for resource in
          select c.relname from pg_trigger t join pg_class c on c.oid = t.tgrelid
          where t.tgname = 'revision_insert' and c.relnamespace = 'public'::regnamespace
        loop
          call keep_revisions_of(resource);
        end loop;
      end $$`)
  }

  private authority (): void {
    // A number that is compared but not counted can be its own stamp.
    this.addSql(`
      create or replace function raise_authority(changed int) returns void language plpgsql as $$
      begin
        -- Once per transaction: a version of the row by this transaction is visible to no other one. Reading first keeps statements with many rows fast.
        if not exists (select from authority_revisions where bucket = changed and xmin = pg_current_xact_id()::xid) then
          insert into authority_revisions as a (bucket, revision) values (changed, stamp_of(clock_timestamp()))
          on conflict (bucket) do update set revision = case when a.revision < excluded.revision then excluded.revision else a.revision + 1 end;
        end if;
      end $$`)
  }

  /** What a cursor needs of purged log entries: their stamps, and whether a delete is among them. */
  private purged (): void {
    this.addSql('create table "purged_revisions" ("company_id" int not null, "revision" bigint not null, "stamp" bigint not null, "has_deletes" boolean not null, "purged_at" timestamptz(6) not null default clock_timestamp(), primary key ("company_id", "revision", "stamp"));')
    this.addSql('create index "purged_revisions_purged_at_index" on "purged_revisions" ("company_id", "purged_at");')
    this.addSql('create index "purged_revisions_deletes_index" on "purged_revisions" ("company_id", "revision") where has_deletes;')
    this.addSql('alter table "purged_revisions" enable row level security;')
    this.addSql('alter table "purged_revisions" force row level security;')
    this.addSql(`create policy "company_admitted" on "purged_revisions" using (${admitted}) with check (${admitted});`)
    this.addSql('grant select on purged_revisions to obra_app')
    // The last revision before the first stamp.
    this.addSql(`
      do $$ begin
        perform set_config('app.companies', (select coalesce(array_agg(id), '{}')::text from companies), true);
        update company_revisions set stamp = stamp_of(clock_timestamp()) where revision > 0;
        insert into purged_revisions (company_id, revision, stamp, has_deletes) select company_id, revision, stamp, false from company_revisions where revision > 0;
        perform set_config('app.companies', '', true);
      end $$`)
    this.addSql(`
      create or replace function purge_changes(company int, after_revision bigint, after_resource text, after_record bigint, most int)
      returns table (removed int, revision bigint, resource text, record_id bigint, due timestamptz)
      language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
      #variable_conflict use_column
      declare
        superseded_for constant interval := '7 days';
        tombstones_for constant interval := '100 days';
        -- Longer than any session: a device that has synchronized since then finds the revision of its cursor.
        purged_for constant interval := '100 days';
        admitted constant text := coalesce(current_setting('app.companies', true), '');
      begin
        -- The policies bind the owner too.
        perform set_config('app.companies', '{' || company || '}', true);
        return query
          with seen as materialized (
            select c.ctid, c.revision, c.resource, c.record_id, c.changed_at, c.operation = 'delete' as gone,
              exists (
                select from changes n
                where n.company_id = company and n.resource = c.resource and n.record_id = c.record_id and n.revision > c.revision and n.operation <> 'insert') as superseded
            from changes c
            where c.company_id = company and (c.revision, c.resource, c.record_id) > (after_revision, after_resource, after_record)
            order by c.revision, c.resource, c.record_id limit least(most, 1000)),
          judged as (
            select s.*, s.changed_at > statement_timestamp() - superseded_for as young,
              s.changed_at + case when s.superseded then superseded_for when s.gone then tombstones_for end as ends_at
            from seen s),
          purged as (
            delete from changes where ctid = any (array(select j.ctid from judged j where j.ends_at <= statement_timestamp()))
            returning revision, changed_at, operation = 'delete' as gone),
          kept as (
            insert into purged_revisions as k (company_id, revision, stamp, has_deletes)
            select company, p.revision, stamp_of(p.changed_at), bool_or(p.gone) from purged p group by 2, 3
            on conflict (company_id, revision, stamp) do update set has_deletes = k.has_deletes or excluded.has_deletes, purged_at = excluded.purged_at),
          dropped as (
            -- The last revision with a purged delete stays: older cursors are truncated.
            delete from purged_revisions where ctid = any (array(
              select k.ctid from purged_revisions k
              where k.company_id = company and k.purged_at <= statement_timestamp() - purged_for
                and (not k.has_deletes or exists (select from purged_revisions l where l.company_id = company and l.revision > k.revision and l.has_deletes))
                -- A cursor can be at this revision until the next one.
                and (exists (select from changes n where n.company_id = company and n.revision > k.revision and n.changed_at <= statement_timestamp() - purged_for)
                  or exists (select from purged_revisions n where n.company_id = company and n.revision > k.revision and n.stamp <= stamp_of(statement_timestamp() - purged_for)))
              order by k.purged_at limit least(most, 1000)))),
          total as (
            select count(*) as seen, coalesce(bool_or(j.young), false) as young,
              least(min(j.ends_at) filter (where j.ends_at > statement_timestamp()), min(j.changed_at + superseded_for) filter (where j.young)) as due
            from judged j)
          select (select count(*)::int from purged), l.revision, l.resource::text, l.record_id::bigint, t.due
          from total t
          left join lateral (
            select s.revision, s.resource, s.record_id from seen s order by s.revision desc, s.resource desc, s.record_id desc limit 1
          ) l on t.seen = least(most, 1000) and not t.young;
        perform set_config('app.companies', admitted, true);
      end $$`)
  }
}
