create or replace function search_term(value text) returns text
language sql immutable parallel safe
return search_form(search_text(value));
