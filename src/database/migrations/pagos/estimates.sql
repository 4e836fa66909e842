create index estimates_pending_index on estimates (company_id, id) where estado = 'autorizada' and neto <> pagado;
alter table estimates add constraint estimates_pagado_check check (
  pagado = 0 and (estado <> 'pagada' or neto = 0)
  or neto is not null and pagado <> 0 and (estado = 'pagada') = (pagado = neto));
create trigger derive_pagado_insert before insert on estimates
  for each row when (new.pagado <> 0) execute function refuse_derived('pagado');
create trigger derive_pagado_update before update on estimates
  for each row when (pg_trigger_depth() = 0 and new.pagado <> old.pagado) execute function refuse_derived('pagado');

-- Before undo_authorization, which removes the amounts.
create function keep_unpaid() returns trigger language plpgsql as $$
begin
  raise exception 'estimate % has payments', old.id using errcode = 'check_violation', constraint = 'estimates_unpaid';
end $$;
create trigger keep_unpaid before update on estimates
  for each row when (old.estado = 'autorizada' and new.estado = 'enviada' and old.pagado <> 0) execute function keep_unpaid();
