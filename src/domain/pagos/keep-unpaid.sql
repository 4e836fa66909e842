-- Before undo_authorization, which removes the amounts.
create or replace function keep_unpaid() returns trigger
language plpgsql
set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off set jit = off as $$
begin
  raise exception 'estimate % has payments', old.id using errcode = 'check_violation', constraint = 'estimates_unpaid';
end
$$;
