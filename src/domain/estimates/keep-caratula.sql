-- After the rows of the statement are written, so that the sheet counts the other estimates that it authorizes.
create or replace function keep_caratula() returns trigger
language plpgsql security definer
set search_path = pg_catalog, public, pg_temp as $$
begin
  if new.neto is null then
    delete from caratulas k where k.company_id = new.company_id and k.estimate_id = new.id;
  else
    insert into caratulas (company_id, estimate_id, figures) values (new.company_id, new.id, caratula_of(new.company_id, new.id));
  end if;
  return null;
end
$$;
revoke execute on function keep_caratula() from public;
