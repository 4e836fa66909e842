-- A user as of now: what a record keeps of the user who made or signed it. Null for a change outside of the API.
create or replace function signature_of(caller int) returns jsonb
language sql stable as $$
select jsonb_build_object('id', u.id, 'nombre', u.nombre) from users u where u.id = caller
$$;
