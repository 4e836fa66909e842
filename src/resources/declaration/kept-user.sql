-- A user as of now, as records keep it. Null for a change outside of the API.
create or replace function kept_user(caller int) returns jsonb
language sql stable as $$
select jsonb_build_object('id', u.id, 'nombre', u.nombre) from users u where u.id = caller
$$;
