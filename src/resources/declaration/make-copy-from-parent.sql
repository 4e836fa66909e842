create or replace procedure make_copy_from_parent(resource text, field text, parent text, parents text, source text)
language plpgsql as $$
begin
  execute format('create or replace function %I() returns trigger language plpgsql set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off set jit = off as %L', 'copy_' || resource || '_' || field, format($body$
begin
  perform lock_company(new.company_id);
  select p.%4$I into new.%1$I from %3$I p where p.company_id = new.company_id and p.id between new.%2$I and new.%2$I order by p.id limit 1;
  return new;
end$body$, field, parent, parents, source));
end
$$;
revoke execute on procedure make_copy_from_parent(IN resource text, IN field text, IN parent text, IN parents text, IN source text) from public;
