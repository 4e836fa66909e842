-- A percentage from before this rule stays, so that the authorization of its estimate can store its amount.
create function refuse_percentage() returns trigger language plpgsql as $$
begin
  raise exception 'the percentage of movement % is not above 0 and at most 100', new.id
    using errcode = 'check_violation', constraint = 'movimientos_percentage';
end $$;
create trigger keep_percentage_insert before insert on movimientos
  for each row when ((new.porcentaje <= 0 or new.porcentaje > 100)) execute function refuse_percentage();
create trigger keep_percentage_update before update on movimientos
  for each row when (new.porcentaje is distinct from old.porcentaje and (new.porcentaje <= 0 or new.porcentaje > 100))
  execute function refuse_percentage();
