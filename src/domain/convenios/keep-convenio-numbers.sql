-- Runs after the statement, so that one statement can delete the last several change orders.
create or replace function keep_convenio_numbers() returns trigger
language plpgsql
set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off set jit = off as $$
begin
  perform lock_companies(array[old.company_id]);
  if old.estado <> 'borrador' or old.numero < (
    select v.numero from convenios v
    where v.company_id = old.company_id and v.contract_id = old.contract_id order by v.numero desc limit 1)
  then
    raise exception 'only the last change order of a contract can go, and only as a draft'
      using errcode = 'check_violation', constraint = 'convenios_numbers';
  end if;
  return null;
end
$$;
