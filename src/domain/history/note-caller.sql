create or replace function note_caller(relation text, record bigint, caller int) returns void
language sql as $$
select set_config('app.callers', (
  coalesce(nullif(current_setting('app.callers', true), '')::jsonb, '{}') || jsonb_strip_nulls(jsonb_build_object(relation || '/' || record, caller)))::text, true)
$$;
