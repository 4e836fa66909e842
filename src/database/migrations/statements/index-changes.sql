-- A batch of changes plans no statements for resources that it lacks.
do $$
declare
  was text := pg_get_functiondef('search.index_changes'::regproc);
  becomes text := replace(was, '-- The delete of a record', 'continue when ids = ''{}'';
            -- The delete of a record');
begin
  assert becomes <> was;
  execute becomes;
end $$;
