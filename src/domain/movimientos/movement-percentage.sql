create or replace function movement_percentage(base numeric, porcentaje numeric) returns numeric
language sql immutable
return round(greatest(0.00, base) * porcentaje * 0.01, 2);
