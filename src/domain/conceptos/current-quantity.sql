-- The quantity in force of a code: that of the original row, and those of change orders that count.
create or replace function current_quantity(of_company int, of_contract bigint, of_clave text) returns numeric
language plpgsql stable
set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off set jit = off as $$
begin
  return (
    select coalesce(sum(case when k.convenio_id is null or v.estado = 'firmado' or (v.estado = 'autorizado' and k.cantidad > 0)
      then k.cantidad else 0.0000 end), 0.0000)
    from (
      select k.cantidad, k.convenio_id from conceptos k
      where k.company_id = of_company and k.contract_id = of_contract
        and k.clave = by_index((of_clave collate "C"))) k
    left join lateral (
      select v.estado from convenios v
      where v.company_id = of_company and v.id = by_index(k.convenio_id) limit 1) v on true);
end
$$;
