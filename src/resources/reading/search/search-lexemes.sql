-- The indexed lexemes of a record: for each word every second character with the three that follow it, and the referenced record. Each
-- lexeme slows a batch down, so there are only half as many as a search for any substring would need.
create or replace function search_lexemes(company int, value text, reference bigint) returns tsvector
language plpgsql immutable parallel safe as $$
declare
  lexemes text[] := case when reference is null then '{}' else array[company || '#' || reference] end;
  prefix text := company || ':';
  word text;
begin
  foreach word in array string_to_array(value, ' ') loop
    for place in 1 .. length(word) by 2 loop
      lexemes := lexemes || (prefix || substr(word, place, 4));
    end loop;
  end loop;
  return array_to_tsvector(lexemes);
end
$$;
