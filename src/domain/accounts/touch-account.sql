create or replace function touch_account() returns trigger
language plpgsql as $$
begin
  if new.id <> old.id then
    raise exception 'an account keeps its id' using errcode = 'check_violation';
  end if;
  new.version := old.version + 1;
  new.created_at := old.created_at;
  new.updated_at := clock_timestamp();
  return new;
end
$$;
