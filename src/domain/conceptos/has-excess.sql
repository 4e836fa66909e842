create or replace function has_excess(of_company int, of_contract bigint, of_estimate bigint, of_number int) returns bool
language plpgsql stable
set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off set jit = off as $$
begin
  return exists (
    select from (
      select l.concepto_id, l.excedente from estimate_lines l
      where l.company_id = of_company and l.estimate_id = by_index(of_estimate)) l
    left join lateral line_totals(of_company, of_contract, l.concepto_id, of_estimate, of_number) t on l.excedente is null
    where coalesce(l.excedente, t.excedente) > 0);
end
$$;
