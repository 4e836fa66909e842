create or replace function has_negative_quantity(of_company int, of_estimate bigint) returns bool
language plpgsql stable
set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off set jit = off as $$
begin
  return exists (
    select from (
      select l.concepto_id, l.cantidad from estimate_lines l
      where l.company_id = of_company and l.estimate_id = by_index(of_estimate)) l
    where l.cantidad < 0 and l.cantidad + coalesce((
      select s.cantidad from concepto_sums s
      where s.company_id = of_company and s.concepto_id = by_index(l.concepto_id)
      limit 1), 0) < 0);
end
$$;
