create or replace function refuse_contract_place(contract bigint, depth int, levels int, is_cycle bool) returns void
language plpgsql as $$
begin
  if is_cycle then
    raise exception 'contract % would be under itself', contract using errcode = 'check_violation', constraint = 'contracts_parent_acyclic';
  elsif depth + levels > 50 then
    raise exception 'the tree of contract % would have more than 50 levels', contract using errcode = 'check_violation', constraint = 'contracts_parent_depth';
  end if;
end
$$;
