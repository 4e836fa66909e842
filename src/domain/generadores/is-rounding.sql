-- Whether the authorized amounts, with those of an estimate, exceed the contract by cents of rounding alone. Without an estimate, it is
-- about what is authorized already. A signed reduction without rows lowers no quantity, so quantities cannot show it.
create or replace function is_rounding(of_company int, of_contract bigint, of_estimate bigint) returns bool
language plpgsql stable
set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off set jit = off as $$
begin
  if coalesce((
      select s.autorizado <> s.monto_lineas from contract_sums s
      where s.company_id = of_company and s.contract_id = of_contract), false)
    or of_estimate is not null and coalesce((
      select e.lineas = 0 and e.monto <> 0 from estimates e
      where e.company_id = of_company and e.id = by_index(of_estimate) limit 1), true)
    or exists (
      select from convenios v
      where v.company_id = of_company and v.contract_id = of_contract
        and v.estado = 'firmado' and v.monto < 0 and v.monto_rows = 0)
  then
    return false;
  end if;
  return not exists (
    select from (
      select k.clave, case when k.convenio_id is null or v.estado = 'firmado' or (v.estado = 'autorizado' and v.monto > 0)
        then k.cantidad else 0.0000 end as agreed,
        coalesce(s.cantidad, 0) + coalesce(o.cantidad, 0) as executed
      from (
        select k.id, k.clave, k.cantidad, k.convenio_id from conceptos k
        where k.company_id = of_company and k.contract_id = of_contract offset 0) k
      left join lateral (
        select v.estado, v.monto from convenios v
        where v.company_id = of_company and v.id = by_index(k.convenio_id) limit 1) v on true
      left join lateral (
        select s.cantidad from concepto_sums s
        where s.company_id = of_company and s.concepto_id = k.id offset 0) s on true
      left join lateral (
        select o.cantidad from estimate_lines o
        where o.company_id = of_company and o.estimate_id = of_estimate and o.concepto_id = k.id
          and o.anterior is null offset 0) o on true) k
    group by k.clave having sum(k.executed) > sum(k.agreed));
end
$$;
