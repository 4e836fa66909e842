-- The authorization of a finiquito ends the contract.
create or replace function settle_contract() returns trigger
language plpgsql security definer
set search_path = pg_catalog, public, pg_temp set enable_seqscan = off set enable_bitmapscan = off
set enable_sort = off set jit = off as $$
begin
  if current_setting('app.callers', true) <> '' then
    perform note_caller('contracts', new.contract_id, caller_of('estimates', new.id)) from contracts c
    where c.company_id = new.company_id and c.id = new.contract_id and c.estado <> 'terminado';
  end if;
  update contracts c set estado = 'terminado'
  where c.company_id = new.company_id and c.id = new.contract_id and c.estado <> 'terminado';
  return null;
end
$$;
revoke execute on function settle_contract() from public;
