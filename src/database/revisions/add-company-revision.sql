create or replace function add_company_revision() returns trigger
language plpgsql security definer
set search_path = pg_catalog, public, pg_temp as $$
begin
  insert into company_revisions (company_id) values (new.id);
  return null;
end
$$;
revoke execute on function add_company_revision() from public;
