-- Quantities of a concept before an estimate, and those of its code, with the estimate. `anterior` counts authorized estimates with lower
-- numbers, without those in `later`. Each lookup has one plan.
create or replace function line_totals_without(
  later bigint[], of_company int, of_contract bigint, of_concepto bigint, of_estimate bigint, of_number int
) returns table (anterior numeric, importe_anterior numeric, vigente numeric, excedente numeric)
language sql stable rows 1
begin atomic
  select t.anterior, t.importe_anterior, t.vigente, greatest(0.0000, t.acumulada - t.vigente)
  from (
    select sum(r.anterior) filter (where r.id = of_concepto) as anterior,
      sum(r.importe_anterior) filter (where r.id = of_concepto) as importe_anterior,
      sum(r.cantidad) as vigente, sum(r.anterior + r.periodo) as acumulada
    from (
      select k.id, case when k.convenio_id is null or v.estado = 'firmado' or (v.estado = 'autorizado' and k.cantidad > 0)
        then k.cantidad else 0.0000 end as cantidad, coalesce(o.cantidad, 0.0000) as periodo,
        coalesce(s.cantidad, 0.0000) - coalesce(h.cantidad, 0.0000) as anterior,
        coalesce(s.importe, 0.00) - coalesce(h.importe, 0.00) as importe_anterior
      from (
        select k.id, k.cantidad, k.convenio_id from (
          select c.clave from conceptos c
          where c.company_id = of_company and c.id = by_index(of_concepto) limit 1) c
        cross join lateral (
          select k.id, k.cantidad, k.convenio_id from conceptos k
          where k.company_id = of_company and k.contract_id = of_contract and k.clave = by_index(c.clave)) k) k
      left join lateral (
        select v.estado, v.monto from convenios v
        where v.company_id = of_company and v.id = by_index(k.convenio_id) limit 1) v on true
      left join lateral (
        select s.cantidad, s.importe from concepto_sums s
        where s.company_id = of_company and s.concepto_id = by_index(k.id) limit 1) s on true
      left join lateral (
        select sum(h.cantidad) as cantidad, sum(h.importe) as importe from (
          (select h.cantidad, h.importe from estimate_lines h
          where h.company_id = of_company and h.concepto_id = by_index(k.id)
            and h.numero > of_number and h.anterior is not null
          order by h.numero)
          union all
          select h.cantidad, h.importe from unnest(later) n (id)
          cross join lateral (
            select h.cantidad, h.importe from estimate_lines h
            where h.company_id = of_company and h.estimate_id = by_index(n.id) and h.concepto_id = k.id) h) h) h on true
      left join lateral (
        select o.cantidad from estimate_lines o
        where o.company_id = of_company and o.estimate_id = of_estimate and o.concepto_id = k.id offset 0) o on true) r) t;
end;
