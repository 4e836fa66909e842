create or replace function lower_contract_levels(of_company int, lowered bigint) returns void
language plpgsql as $$
declare most int;
begin
  while lowered is not null loop
    select max(levels) into most from contract_levels where company_id = of_company and parent_id = lowered;
    if most is null and not exists (select from contracts where company_id = of_company and parent_id = lowered) then
      delete from contract_levels where company_id = of_company and contract_id = lowered returning parent_id into lowered;
    else
      most := least(coalesce(most, 1) + 1, 51);
      update contract_levels set levels = most where company_id = of_company and contract_id = lowered and levels > most returning parent_id into lowered;
    end if;
  end loop;
end
$$;
