-- After `keep_estimate` and `undo_authorization`, which set and remove the amounts.
create or replace function keep_autorizada_en() returns trigger
language plpgsql as $$
begin
  if new.neto is null then
    new.autorizada_en := null;
  elsif tg_op = 'INSERT' then
    new.autorizada_en := clock_timestamp();
  else
    new.autorizada_en := case when old.neto is null then clock_timestamp() else old.autorizada_en end;
  end if;
  return new;
end
$$;
