create or replace function touch_record() returns trigger
language plpgsql as $$
begin
  if new.company_id <> old.company_id then
    raise exception 'a record cannot move to another company' using errcode = 'check_violation';
  end if;
  if new.id <> old.id then
    raise exception 'a record keeps its id: references, cycles and the change log go by it' using errcode = 'check_violation';
  end if;
  new.version := old.version + 1;
  new.created_at := old.created_at;
  new.updated_at := clock_timestamp();
  return new;
end
$$;
