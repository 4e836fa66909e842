create or replace procedure drop_search_of(resource text)
language plpgsql as $$
begin
  -- A running batch would write its progress after the reset below.
  perform pg_advisory_xact_lock(x'6f627207'::int, 0);
  delete from search_resources where name = resource;
  execute format('drop table if exists search.%I', resource);
  execute format('drop policy if exists search_candidates on %I', resource);
  execute format('revoke all on %I from obra_search', resource);
  delete from search.progress;
end
$$;
revoke execute on procedure drop_search_of(IN resource text) from public;
