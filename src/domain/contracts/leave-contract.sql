create or replace function leave_contract() returns trigger
language plpgsql
set enable_seqscan = off set jit = off as $$
begin
  perform lower_contract_levels(old.company_id, old.parent_id);
  return null;
end
$$;
