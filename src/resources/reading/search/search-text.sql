-- Normalizes text for `search`: lower case, without accents (decomposed, without combining marks).
create or replace function search_text(value text) returns text
language sql immutable parallel safe strict
return lower(regexp_replace(normalize(value, nfd), '[\u0300-\u036f]', '', 'g'));
