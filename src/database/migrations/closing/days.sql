-- Whether a day is more than one day ahead of the server's, in UTC. Somewhere it is tomorrow already.
create function is_future(day date) returns boolean language sql stable
return coalesce(day > (statement_timestamp() at time zone 'UTC')::date + 1, false);

-- Argument: the column.
create function refuse_future() returns trigger language plpgsql as $$
begin
  raise exception 'the % of % is in the future', tg_argv[0], new.id
    using errcode = 'check_violation', constraint = tg_table_name || '_' || tg_argv[0] || '_future';
end $$;
create trigger keep_fecha_insert before insert on pagos
  for each row when (is_future(new.fecha)) execute function refuse_future('fecha');
create trigger keep_fecha_update before update on pagos
  for each row when (new.fecha is distinct from old.fecha and is_future(new.fecha)) execute function refuse_future('fecha');
create trigger keep_fecha_autorizacion_insert before insert on convenios
  for each row when (is_future(new.fecha_autorizacion)) execute function refuse_future('fecha_autorizacion');
create trigger keep_fecha_autorizacion_update before update on convenios
  for each row when ((new.fecha_autorizacion is distinct from old.fecha_autorizacion
    or new.estado <> old.estado and new.estado = any (array['autorizado', 'firmado'])) and is_future(new.fecha_autorizacion)) execute function refuse_future('fecha_autorizacion');
create trigger keep_fecha_firma_insert before insert on convenios
  for each row when (is_future(new.fecha_firma)) execute function refuse_future('fecha_firma');
create trigger keep_fecha_firma_update before update on convenios
  for each row when ((new.fecha_firma is distinct from old.fecha_firma
    or new.estado <> old.estado and new.estado = any (array['autorizado', 'firmado'])) and is_future(new.fecha_firma)) execute function refuse_future('fecha_firma');
