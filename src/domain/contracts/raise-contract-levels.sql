create or replace function raise_contract_levels(companies int[], raised bigint[], at_least int) returns void
language plpgsql as $$
begin
  while cardinality(raised) > 0 loop
    with changed as (
      insert into contract_levels as l (company_id, contract_id, parent_id, levels)
      select q.company, q.id, c.parent_id, least(at_least, 51)
      from (select distinct * from unnest(companies, raised)) q (company, id)
      cross join lateral (select parent_id from contracts where company_id = q.company and id = q.id offset 0) c
      on conflict (company_id, contract_id) do update set levels = excluded.levels where l.levels < excluded.levels
      returning company_id, parent_id)
    select array_agg(company_id), array_agg(parent_id) into companies, raised from changed where parent_id is not null;
    at_least := at_least + 1;
  end loop;
end
$$;
