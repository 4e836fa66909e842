-- What can be returned, and what the returns of an estimate are. Migration 49 creates movement_amount.
create function returnable(of_company int, of_contract bigint, of_tipo text, before_tax boolean) returns numeric
language plpgsql stable as $$
begin
  return coalesce((
    select s.tomado from movement_sums s
    where s.company_id = of_company and s.contract_id = of_contract and s.tipo = of_tipo and s.antes_iva = before_tax), 0.00);
end $$;

create function returned_in(of_company int, of_estimate bigint, of_tipo text, before_tax boolean, except_id bigint) returns numeric
language plpgsql stable as $$
begin
  return (
    select coalesce(sum(coalesce(m.importe, movement_amount(of_company, of_estimate, m.base, m.porcentaje))), 0.00)
    from (
      select m.id, m.tipo, m.antes_iva, m.base, m.porcentaje, m.importe from movimientos m
      where m.company_id = of_company and m.estimate_id between of_estimate and of_estimate and m.sentido = 'abono'
      order by m.estimate_id offset 0) m
    where m.tipo = of_tipo and m.antes_iva = before_tax and m.id is distinct from except_id);
end $$;

create function returns_more(of_company int, of_contract bigint, of_estimate bigint) returns boolean
language plpgsql stable as $$
begin
  return exists (
    select from (
      select m.tipo, m.antes_iva, m.base, m.porcentaje, m.importe from movimientos m
      where m.company_id = of_company and m.estimate_id between of_estimate and of_estimate and m.sentido = 'abono'
      order by m.estimate_id offset 0) m
    group by m.tipo, m.antes_iva
    having sum(coalesce(m.importe, movement_amount(of_company, of_estimate, m.base, m.porcentaje)))
      > returnable(of_company, of_contract, m.tipo, m.antes_iva));
end $$;
