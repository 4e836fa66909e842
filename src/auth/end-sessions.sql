create or replace function end_sessions() returns trigger
language plpgsql as $$
begin
  update sessions set revoked_at = clock_timestamp() where user_id = new.id and revoked_at is null;
  return null;
end
$$;
