-- After keep_estimate, which has locked the company. A row sees earlier rows of its statement.
create or replace function number_authorization() returns trigger
language plpgsql
set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off set jit = off as $$
begin
  new.autorizacion := 1 + coalesce((
    select e.autorizacion from estimates e
    where e.company_id = new.company_id and e.contract_id = new.contract_id and e.neto is not null
    order by e.autorizacion desc limit 1), 0);
  return new;
end
$$;
