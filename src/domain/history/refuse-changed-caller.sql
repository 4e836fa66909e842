-- Fails a transaction if its caller has changed since authentication.
create or replace function refuse_changed_caller() returns void
language plpgsql as $$
begin
  raise exception 'a caller''s session has ended, or the level has changed' using errcode = 'OB001';
end
$$;
