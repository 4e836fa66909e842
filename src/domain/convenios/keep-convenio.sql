-- The day of an order that no longer holds goes. Another day is that of the next one.
create or replace function keep_convenio() returns trigger
language plpgsql as $$
begin
  new.fecha_autorizacion := null;
  return new;
end
$$;
