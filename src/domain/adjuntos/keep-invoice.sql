create or replace function keep_invoice() returns trigger
language plpgsql
set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off set jit = off as $$
begin
  perform lock_companies(array[new.company_id]);
  if exists (
    select from estimates e
    where e.company_id = new.company_id and e.factura_uuid = new.factura_uuid and e.id <> new.id and e.estado not in ('rechazada', 'cancelada'))
  then
    raise exception 'another live estimate has the invoice of estimate %', new.id using errcode = 'check_violation', constraint = 'estimates_factura_uuid_taken';
  end if;
  return null;
end
$$;
