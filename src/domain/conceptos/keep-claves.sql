-- Rows of a contract with the same code have the same unit, price and kind, also after a statement that writes several of them.
create or replace function keep_claves() returns trigger
language plpgsql
set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off set jit = off as $$
declare wrong bigint;
begin
  perform lock_companies(array(select distinct company_id from new_rows));
  select n.id into wrong from new_rows n cross join lateral (
    select k.unidad, k.precio_unitario, k.alzado from conceptos k
    where k.company_id = n.company_id and k.contract_id = n.contract_id and k.clave = by_index(n.clave)) k
  where (k.unidad, k.precio_unitario, k.alzado) <> (n.unidad, n.precio_unitario, n.alzado) limit 1;
  if wrong is not null then
    raise exception 'concept % differs from others with its code', wrong
      using errcode = 'check_violation', constraint = 'conceptos_differs';
  end if;
  return null;
end
$$;
