-- The effect can be on a reference that some of the written records do not have.
create or replace function note_causes(relation text, cause text, records bigint[], causes bigint[]) returns void
language sql as $$
select set_config('app.callers', (s.callers || (
  select coalesce(jsonb_object_agg(relation || '/' || c.record, c.caller), '{}')
  from (
    select distinct on (w.record) w.record, (s.callers ->> (cause || '/' || w.id))::int as caller
    from unnest(records, causes) w (record, id)
    where w.record is not null and s.callers ->> (cause || '/' || w.id) is not null
    order by w.record, w.id desc) c))::text, true)
from (select current_setting('app.callers', true)::jsonb as callers) s
$$;
