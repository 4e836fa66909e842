create or replace function has_line_of_convenio(of_company int, of_estimate bigint, states text[]) returns bool
language plpgsql stable
set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off set jit = off as $$
begin
  return exists (
    select from (
      select l.concepto_id from estimate_lines l
      where l.company_id = of_company and l.estimate_id = by_index(of_estimate)) l
    cross join lateral (
      select k.convenio_id from conceptos k
      where k.company_id = of_company and k.id = by_index(l.concepto_id) limit 1) k
    cross join lateral (
      select v.estado from convenios v
      where v.company_id = of_company and v.id = by_index(k.convenio_id) limit 1) v
    where v.estado = any (states));
end
$$;
