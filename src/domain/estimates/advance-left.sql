-- What is left of an advance. Below zero, estimates repaid more than the documents delivered: ordinary estimates then repay nothing, and
-- the finiquito gives the difference back. Without a document, nobody has said what was delivered. The advance of a settled contract is
-- repaid, and no later change of the contract agrees on another one.
create or replace function advance_left(
  monto numeric, anticipo_porcentaje numeric, anticipos numeric, amortizacion numeric, liquidado bool
) returns numeric
language sql immutable
return case
 when liquidado then 0.00
 when anticipos > 0 then anticipos - coalesce(amortizacion, 0.00)
 else greatest(0.00, round(monto * anticipo_porcentaje * 0.01, 2) - coalesce(amortizacion, 0.00)) end;
