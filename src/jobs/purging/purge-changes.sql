-- The service can only read the change log. purge_changes deletes only expired entries, with any parameters. An entry stays for seven days
-- after the next one of its record, not after its own commit: webhooks coalesce the entries of a window.
create or replace function purge_changes(
  company int, after_revision bigint, after_resource text, after_record bigint, most int
) returns table (removed int, revision bigint, resource text, record_id bigint, due timestamptz)
language plpgsql security definer
set search_path = pg_catalog, public, pg_temp as $$
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
        (
          select n.changed_at from changes n
          where n.company_id = company and n.resource = c.resource and n.record_id = c.record_id and n.revision > c.revision and n.operation <> 'insert'
          order by n.revision limit 1) as superseded_at
      from changes c
      where c.company_id = company and (c.revision, c.resource, c.record_id) > (after_revision, after_resource, after_record)
      order by c.revision, c.resource, c.record_id limit least(most, 1000)),
    judged as (
      select s.*, s.changed_at > statement_timestamp() - superseded_for as young,
        coalesce(s.superseded_at + superseded_for, case when s.gone then s.changed_at + tombstones_for end) as ends_at
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
end
$$;
revoke execute on function purge_changes(company integer, after_revision bigint, after_resource text, after_record bigint, most integer) from public;
grant execute on function purge_changes(company integer, after_revision bigint, after_resource text, after_record bigint, most integer) to obra_app;
