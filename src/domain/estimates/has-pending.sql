-- Whether an estimate besides this one waits for its authorization, or a change order for its signature.
create or replace function has_pending(of_company int, of_contract bigint, of_estimate bigint) returns bool
language plpgsql stable
set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off set jit = off as $$
begin
  return exists (
      select from estimates e
      where e.company_id = of_company and e.contract_id = of_contract and e.id <> of_estimate and e.estado in ('borrador', 'enviada'))
    or exists (
      select from convenios v where v.company_id = of_company and v.contract_id = of_contract and v.estado = 'autorizado');
end
$$;
