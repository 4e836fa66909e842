-- Conditions of an authorization, over all authorized estimates, and of warnings. A range of one id and an order leave only the index,
-- whatever the planner assumes.

create function has_excess(of_company int, of_contract bigint, of_estimate bigint, of_number int) returns boolean
language plpgsql stable as $$
begin
  return exists (
    select from (
      select l.concepto_id, l.excedente from estimate_lines l
      where l.company_id = of_company and l.estimate_id between of_estimate and of_estimate order by l.estimate_id offset 0) l
    left join lateral line_totals(of_company, of_contract, l.concepto_id, of_estimate, of_number) t on l.excedente is null
    where coalesce(l.excedente, t.excedente) > 0);
end $$;

create function has_negative_quantity(of_company int, of_estimate bigint) returns boolean language plpgsql stable as $$
begin
  return exists (
    select from (
      select l.concepto_id, l.cantidad from estimate_lines l
      where l.company_id = of_company and l.estimate_id between of_estimate and of_estimate order by l.estimate_id offset 0) l
    where l.cantidad < 0 and l.cantidad + coalesce((
      select s.cantidad from concepto_sums s
      where s.company_id = of_company and s.concepto_id between l.concepto_id and l.concepto_id
      order by s.concepto_id limit 1), 0) < 0);
end $$;

create function has_exceeded_quantity(of_company int, of_estimate bigint) returns boolean language plpgsql stable as $$
begin
  return exists (
    select from (
      select l.concepto_id from estimate_lines l
      where l.company_id = of_company and l.estimate_id between of_estimate and of_estimate order by l.estimate_id offset 0) l
    cross join lateral (
      select c.id, c.contract_id from conceptos c
      where c.company_id = of_company and c.id between l.concepto_id and l.concepto_id and c.alzado order by c.id limit 1) c
    cross join lateral line_totals(of_company, c.contract_id, c.id, of_estimate, 2147483647) t
    where t.excedente > 0);
end $$;

create function has_line_of_convenio(of_company int, of_estimate bigint, states text[]) returns boolean
language plpgsql stable as $$
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
end $$;
