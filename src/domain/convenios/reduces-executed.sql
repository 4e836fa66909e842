-- Executed quantities keep the rows of their change orders. Reductions count from the signature.
create or replace function reduces_executed(of_company int, of_convenio bigint) returns bool
language plpgsql stable
set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off set jit = off as $$
begin
  return exists (
    select from (
      select r.contract_id, r.clave, r.cantidad from conceptos r
      where r.company_id = of_company and r.convenio_id = by_index(of_convenio) and r.cantidad < 0) r
    where current_quantity(of_company, r.contract_id, r.clave) + r.cantidad < (
      select coalesce(sum(s.cantidad), 0) from (
        select k.id from conceptos k
        where k.company_id = of_company and k.contract_id = r.contract_id and k.clave = by_index(r.clave)) k
      cross join lateral (
        select s.cantidad from concepto_sums s
        where s.company_id = of_company and s.concepto_id = by_index(k.id) limit 1) s));
end
$$;
