-- What documents say about a contract. `convenios` are the signed change orders, `sin_firma` those that are authorized but not signed.
create or replace function contract_facts(of_company int, of_contract bigint) returns json
language plpgsql stable
set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off set jit = off as $$
declare facts json;
begin
  select json_build_object(
    'folio', c.folio, 'descripcion', c.descripcion, 'contraparte', p.nombre, 'contraparte_rfc', p.rfc, 'moneda', c.moneda,
    'fecha_inicio', c.fecha_inicio, 'fecha_fin', c.fecha_fin,
    'monto_original', (c.monto - coalesce(s.convenios, 0.00))::text, 'convenios', coalesce(s.convenios, 0.00)::text,
    'monto', c.monto::text, 'sin_firma', v.sin_firma::text) into facts
  from (
    select c.* from contracts c where c.company_id = of_company and c.id = by_index(of_contract) limit 1) c
  left join lateral (
    select p.nombre, p.rfc from contrapartes p
    where p.company_id = of_company and p.id = by_index(c.contraparte_id) limit 1) p on true
  left join contract_sums s on s.company_id = of_company and s.contract_id = of_contract
  cross join lateral (
    select coalesce(sum(v.monto) filter (where v.estado = 'autorizado'), 0.00) as sin_firma
    from (
      select v.monto, v.estado from convenios v
      where v.company_id = of_company and v.contract_id = by_index(of_contract)) v) v;
  return facts;
end
$$;
