create or replace function move_contract() returns trigger
language plpgsql
set enable_seqscan = off set jit = off as $$
declare own int;
begin
  perform lock_companies(array[new.company_id]);
  own := coalesce((select levels from contract_levels where company_id = new.company_id and contract_id = new.id), 1);
  perform refuse_contract_place(new.id, max(a.step), own, bool_or(a.ancestor = new.id))
  from contract_ancestors(array[new.company_id], array[new.parent_id]) a;
  update contract_levels set parent_id = new.parent_id where company_id = new.company_id and contract_id = new.id;
  if new.parent_id is not null then
    perform raise_contract_levels(array[new.company_id], array[new.parent_id], own + 1);
  end if;
  perform lower_contract_levels(new.company_id, old.parent_id);
  return null;
end
$$;
