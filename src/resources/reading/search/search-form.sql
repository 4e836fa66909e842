-- Most texts need only the first case. PostgreSQL inlines the function.
create or replace function search_form(value text) returns text
language sql immutable parallel safe
return case
 when (octet_length(value) = char_length(value) or value ~ '^[\t\n\r -~¡¿§°±×÷•€]*$')
   and translate(value, '."''`', '') !~ '(^|[^a-z0-9])[a-z]\.? [a-z]([^a-z0-9]|$)' and value not like '%. _.%' then translate(value, '."''`', '')
 else search_letters(value) end;
