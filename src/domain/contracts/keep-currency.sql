-- A contract keeps its currency while it has live estimates, and a closed contract takes no new ones.
create or replace function keep_currency() returns trigger
language plpgsql as $$
begin
  perform lock_companies(array[new.company_id]);
  if exists (select from estimates e where e.company_id = new.company_id and e.contract_id = new.id and e.estado not in ('rechazada', 'cancelada')) then
    raise exception 'contract % has estimates in its currency', new.id using errcode = 'check_violation', constraint = 'contracts_currency';
  end if;
  return new;
end
$$;
