-- A movement has either an amount or a percentage. The authorization of its estimate stores the amount of a percentage.
create or replace function refuse_amounts() returns trigger
language plpgsql as $$
begin
  raise exception 'a movement has either an amount or a percentage' using errcode = 'check_violation', constraint = 'movimientos_one';
end
$$;
