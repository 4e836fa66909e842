-- Removes the invisible characters from stored texts by which records are found, as servers do with new ones. Joiners and variation
-- selectors stay, because they can belong to a letter. A record keeps its text if another record has the same one, or if a rule forbids
-- the change.
do $$
declare
  marks constant text := '[\u0001-\u0008\u000e-\u001f\u007f-\u0084\u0086-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb]';
  field record;
  found bigint;
begin
  -- The policies bind the owner too.
  perform set_config('app.companies', (select coalesce(array_agg(id), '{}')::text from companies), true);
  for field in
    select c.table_name, c.column_name from information_schema.columns c
    where c.table_schema = 'public' and (c.column_name = 'external_id'
      or (c.table_name, c.column_name) in (
        ('contracts', 'folio'), ('conceptos', 'clave'), ('contrapartes', 'nombre'), ('companies', 'nombre'), ('users', 'email')))
    order by 1, 2
  loop
    for found in execute format('select id from %I where %I ~ $1', field.table_name, field.column_name) using marks loop
      begin
        execute format('update %1$I set %2$I = btrim(regexp_replace(%2$I, $1, '''', ''g'')) where id = $2 and regexp_replace(%2$I, $1, '''', ''g'') !~ ''^\s*$''',
          field.table_name, field.column_name) using marks, found;
      exception when unique_violation or check_violation or raise_exception then
        raise notice 'the % of % % keeps its invisible characters: %', field.column_name, field.table_name, found, sqlerrm;
      end;
    end loop;
  end loop;
  perform set_config('app.companies', '', true);
end $$;
