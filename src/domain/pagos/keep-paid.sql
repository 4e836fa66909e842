-- After keep_estimate, which sets neto. A change to pagada pays the rest, and pay_rest records that payment.
create or replace function keep_paid() returns trigger
language plpgsql
set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off set jit = off as $$
begin
  if tg_op = 'UPDATE' and new.pagado <> old.pagado then
    if new.neto is null or (new.pagado <> 0 and sign(new.pagado) <> sign(new.neto)) or abs(new.pagado) > abs(new.neto) then
      raise exception 'the payments of estimate % would be more than its neto', new.id
        using errcode = 'check_violation', constraint = 'pagos_due';
    end if;
    new.estado := case when new.pagado = new.neto then 'pagada' else 'autorizada' end;
  else
    new.pagado := new.neto;
  end if;
  return new;
end
$$;
