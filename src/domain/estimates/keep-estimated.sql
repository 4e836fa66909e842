create or replace function keep_estimated() returns trigger
language plpgsql
set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off set jit = off as $$
begin
  perform lock_companies(array[new.company_id]);
  if is_estimated(new.company_id, new.id) then
    raise exception 'authorized estimates have rows of change order %', new.id
      using errcode = 'check_violation', constraint = 'convenios_extra_in_use';
  end if;
  return new;
end
$$;
