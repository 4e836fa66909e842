-- The words of search have another form, so the search index is made again from the change log. A running batch would write its progress
-- after the reset.
do $$
declare kept search_resources;
begin
  perform pg_advisory_xact_lock(x'6f627207'::int, 0);
  for kept in select * from search_resources loop
    execute format('truncate search.%I', kept.name);
  end loop;
  delete from search.progress;
end $$;
