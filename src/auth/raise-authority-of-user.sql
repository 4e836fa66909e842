create or replace function raise_authority_of_user() returns trigger
language plpgsql security definer
set search_path = pg_catalog, public, pg_temp as $$
begin
  if tg_table_name = 'users' then
    perform raise_authority(new.id % 256);
  else
    perform raise_authority(coalesce(new.user_id, old.user_id) % 256);
    if new.user_id <> old.user_id then
      perform raise_authority(old.user_id % 256);
    end if;
  end if;
  return null;
end
$$;
revoke execute on function raise_authority_of_user() from public;
