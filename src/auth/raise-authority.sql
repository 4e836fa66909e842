-- A number that is compared but not counted can be its own stamp.
create or replace function raise_authority(changed int) returns void
language plpgsql as $$
begin
  -- Once per transaction: a version of the row by this transaction is visible to no other one. Reading first keeps statements with many rows fast.
  if not exists (select from authority_revisions where bucket = changed and xmin = pg_current_xact_id()::xid) then
    insert into authority_revisions as a (bucket, revision) values (changed, stamp_of(clock_timestamp()))
    on conflict (bucket) do update set revision = case when a.revision < excluded.revision then excluded.revision else a.revision + 1 end;
  end if;
end
$$;
revoke execute on function raise_authority(changed integer) from public;
