-- Sessions keep the zone of their active company. Only those of its users are read again.
create or replace function raise_authority_of_company() returns trigger
language plpgsql security definer
set search_path = pg_catalog, public, pg_temp as $$
begin
  perform raise_authority(u.bucket)
  from (select distinct id % 256 as bucket from users where company_id = new.id order by bucket) u;
  return null;
end
$$;
revoke execute on function raise_authority_of_company() from public;
