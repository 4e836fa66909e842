-- The quotient of `div` is an exact integer, so the result is rounded once.
create or replace function percent_of(part numeric, whole numeric) returns numeric
language sql immutable
return case when whole > 0 then sign(part) * div(abs(part) * 20000 + whole, whole * 2) * 0.01 end;
