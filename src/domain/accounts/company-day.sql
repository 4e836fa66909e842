-- The day on which something happened, in the company's time zone.
create or replace function company_day(of_company int, at timestamptz) returns date
language sql stable
begin atomic
  select (at at time zone c.zona_horaria)::date from companies c where c.id = of_company;
end;
