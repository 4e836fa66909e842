create or replace function place_contracts() returns trigger
language plpgsql
set enable_seqscan = off set jit = off as $$
declare
  companies int[];
  parents bigint[];
begin
  select array_agg(company_id), array_agg(parent_id) into companies, parents
  from (select distinct company_id, parent_id from new_rows where parent_id is not null) p;
  if parents is null then
    return null;
  end if;
  perform lock_companies(companies);
  perform refuse_contract_place(a.id, max(a.step), 1, bool_or(a.step > 1 and a.ancestor = a.id))
  from contract_ancestors(companies, parents) a group by a.company, a.id;
  perform raise_contract_levels(companies, parents, 2);
  return null;
end
$$;
