create or replace procedure make_number_within(resource text, field text, parent text)
language plpgsql as $$
begin
  execute format('create or replace function %I() returns trigger language plpgsql set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off set jit = off as %L', 'number_' || resource || '_' || field, format($body$
begin
  perform lock_company(new.company_id);
  new.%2$I := 1 + coalesce((
    select t.%2$I from %1$I t where t.company_id = new.company_id and t.%3$I between new.%3$I and new.%3$I
    order by t.%3$I desc, t.%2$I desc limit 1), 0);
  return new;
end$body$, resource, field, parent));
end
$$;
revoke execute on procedure make_number_within(IN resource text, IN field text, IN parent text) from public;
