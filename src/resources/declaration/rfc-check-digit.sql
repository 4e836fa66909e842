-- Check digit of a Mexican tax id by the SAT's algorithm: 13 characters (a company's id is padded in front), the value of each character
-- times 13 … 2, modulo 11. For a text that is no tax id, the result has no meaning.
create or replace function rfc_check_digit(rfc text) returns text
language sql immutable parallel safe strict
return (
  select case digit when 11 then '0' when 10 then 'A' else digit::text end
  from (
    select 11 - sum(
      (strpos('0123456789ABCDEFGHIJKLMN&OPQRSTUVWXYZ Ñ', substr(lpad(rfc, 13, ' '), place, 1)) - 1) * (14 - place))::int % 11 as digit
    from generate_series(1, 12) place) computed);
