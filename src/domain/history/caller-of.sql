create or replace function caller_of(relation text, record bigint) returns int
language sql stable parallel safe as $$
select coalesce(
  (nullif(current_setting('app.callers', true), '')::jsonb ->> (relation || '/' || record))::int,
  nullif(current_setting('app.user', true), '')::int)
$$;
