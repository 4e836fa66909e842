-- The rows of a change order in `autorizado` that an authorized estimate has stay as they are, so it cannot become a draft again.
create or replace function is_estimated(of_company int, of_convenio bigint) returns bool
language plpgsql stable
set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off set jit = off as $$
begin
  return exists (
    select from (
      select k.id from conceptos k
      where k.company_id = of_company and k.convenio_id = by_index(of_convenio)) k
    cross join lateral (
      select from estimate_lines l
      where l.company_id = of_company and l.concepto_id = by_index(k.id) and l.anterior is not null
      limit 1) l);
end
$$;
