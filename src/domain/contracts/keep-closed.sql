-- Estimates of a cancelled contract can only be rejected or cancelled. A settled contract has no estimate that waits, but finiquitos.
create or replace function keep_closed() returns trigger
language plpgsql as $$
declare closed text;
begin
  perform lock_companies(array[new.company_id]);
  select c.estado into closed from contracts c
  where c.company_id = new.company_id and c.id = new.contract_id and c.estado in ('terminado', 'cancelado');
  if closed = 'cancelado' and new.estado not in ('rechazada', 'cancelada') then
    raise exception 'contract % is cancelled', new.contract_id
      using errcode = 'check_violation', constraint = 'estimates_contract_not_cancelled';
  elsif closed = 'terminado' and new.tipo <> 'finiquito' and is_settled(new.company_id, new.contract_id)
    and (new.estado in ('borrador', 'enviada') or (new.estado in ('autorizada', 'pagada') and old.neto is null))
  then
    raise exception 'contract % is settled', new.contract_id
      using errcode = 'check_violation', constraint = 'estimates_contract_not_settled';
  end if;
  return new;
end
$$;
