-- A sort key in which numbers count as numbers: 1, 2, 10. Each run of digits loses its leading zeros and begins with its length. The parts of
-- a path sort before texts that continue the part. The keys are compared by code point.
create or replace function natural_key(value text) returns text
language plpgsql immutable parallel safe strict as $$
declare
  key text := '';
  rest text := translate(value, '/', U&'\0001');
  part text;
begin
  loop
    part := substring(rest from '^[^0-9]*');
    key := key || part;
    rest := substr(rest, length(part) + 1);
    exit when rest = '';
    part := substring(rest from '^[0-9]*');
    rest := substr(rest, length(part) + 1);
    part := ltrim(part, '0');
    key := key || lpad(length(part)::text, 3, '0') || part;
  end loop;
  return key;
end
$$;
