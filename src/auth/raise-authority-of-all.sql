create or replace function raise_authority_of_all() returns trigger
language plpgsql security definer
set search_path = pg_catalog, public, pg_temp as $$
begin
  perform raise_authority(bucket) from generate_series(0, 255) as bucket;
  return null;
end
$$;
revoke execute on function raise_authority_of_all() from public;
