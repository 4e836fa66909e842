create or replace function has_exceeded_quantity(of_company int, of_estimate bigint) returns bool
language plpgsql stable
set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off set jit = off as $$
begin
  return exists (
    select from (
      select l.concepto_id from estimate_lines l
      where l.company_id = of_company and l.estimate_id = by_index(of_estimate)) l
    cross join lateral (
      select c.id, c.contract_id from conceptos c
      where c.company_id = of_company and c.id = by_index(l.concepto_id) and c.alzado limit 1) c
    cross join lateral line_totals(of_company, c.contract_id, c.id, of_estimate, 2147483647) t
    where t.excedente > 0);
end
$$;
