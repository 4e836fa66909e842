create or replace function lock_company(company int) returns void
language plpgsql as $$
begin
  if current_setting('app.locked', true) is distinct from company::text then
    perform lock_companies(array[company]);
    perform set_config('app.locked', company::text, true);
  end if;
end
$$;
