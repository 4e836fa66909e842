create or replace function keep_webhook_host() returns trigger
language plpgsql
set search_path = pg_catalog, public, pg_temp as $$
begin
  update webhook_cursors set host = lower(substring(new.url from '^[A-Za-z]+://([^/?#]*)')) where webhook_id = new.id;
  return null;
end
$$;
