create or replace function clear_motivo_inactivo() returns trigger
language plpgsql as $$
begin
  new.motivo_inactivo := null;
  return new;
end
$$;
