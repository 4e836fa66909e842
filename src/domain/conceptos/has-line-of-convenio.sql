create or replace function has_line_of_convenio(of_company int, of_estimate bigint, states text[]) returns bool
language plpgsql stable
set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off set jit = off as $$
begin
  return exists (
    select from (
      select l.concepto_id from estimate_lines l
      where l.company_id = of_company and l.estimate_id between of_estimate and of_estimate order by l.estimate_id offset 0) l
    cross join lateral (
      select k.convenio_id from conceptos k
      where k.company_id = of_company and k.id between l.concepto_id and l.concepto_id order by k.id limit 1) k
    cross join lateral (
      select v.estado from convenios v
      where v.company_id = of_company and v.id between k.convenio_id and k.convenio_id order by v.id limit 1) v
    where v.estado = any (states));
end
$$;
