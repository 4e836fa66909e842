-- Quantities of a concept before an estimate, and those of its code, with the estimate. `anterior` counts authorized estimates with lower
-- numbers. Each lookup has one plan.
create or replace function line_totals(
  of_company int, of_contract bigint, of_concepto bigint, of_estimate bigint, of_number int
) returns table (anterior numeric, importe_anterior numeric, vigente numeric, excedente numeric)
language sql stable rows 1
begin atomic
  select t.* from line_totals_without('{}', of_company, of_contract, of_concepto, of_estimate, of_number) t;
end;
