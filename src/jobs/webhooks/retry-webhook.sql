create or replace function retry_webhook() returns trigger
language plpgsql
set search_path = pg_catalog, public, pg_temp as $$
begin
  update webhook_cursors
  set activo = new.activo, epoch = epoch + (old.url <> new.url)::int, failures = 0, failing_since = null, next_attempt_at = null, skip_to = null
  where webhook_id = new.id;
  return null;
end
$$;
