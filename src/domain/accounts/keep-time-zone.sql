-- Servers take the names that their ICU knows. Some of them are unknown here, and would make each later use of the zone fail.
create or replace function keep_time_zone() returns trigger
language plpgsql as $$
begin
  perform now() at time zone new.zona_horaria;
  return new;
exception when invalid_parameter_value then
  raise exception 'the time zone of company % is unknown', new.id
    using errcode = 'check_violation', constraint = 'companies_zona_horaria_known';
end
$$;
