create or replace function contract_ancestors(
  companies int[], contracts bigint[]
) returns table (company int, id bigint, ancestor bigint, step int)
language sql stable as $$
with recursive way (company, id, ancestor, step) as (
  select distinct q.company, q.id, q.id, 1 from unnest(companies, contracts) q (company, id) where q.id is not null
  union all
  select way.company, way.id, c.parent_id, way.step + 1 from way cross join lateral (
    select parent_id from contracts where company_id = way.company and id = way.ancestor and parent_id is not null offset 0) c
  where way.step < 50)
select * from way
$$;
