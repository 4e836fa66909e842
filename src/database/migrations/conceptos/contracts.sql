-- The sum of the original rows is the amount of the contract, that of the others the amount of their change order.
alter table contracts add monto_rows int not null default 0;
create trigger derive_monto_insert before insert on contracts
  for each row when (new.monto_rows <> 0) execute function refuse_derived('monto');
create trigger derive_monto_update before update on contracts
  for each row when (pg_trigger_depth() = 0
    and (new.monto_rows <> old.monto_rows or (old.monto_rows > 0 and new.monto <> old.monto)))
  execute function refuse_derived('monto');
