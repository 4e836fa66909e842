-- The chapters of a cover sheet sort by their numbers. Sheets that are kept do not change.
do $$
declare
  was text := pg_get_functiondef('caratula_of'::regproc);
  becomes text := replace(was, 'order by k.capitulo)', 'order by natural_key(k.capitulo) collate "C", k.capitulo)');
begin
  assert becomes <> was;
  execute becomes;
end $$;
