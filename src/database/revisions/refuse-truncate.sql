create or replace function refuse_truncate() returns trigger
language plpgsql as $$
begin
  raise exception 'delete the rows instead: truncate would pass by revisions and counters' using errcode = 'feature_not_supported';
end
$$;
