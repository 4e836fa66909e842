-- The day on which something happened, as the company's calendar has it.
create function company_day(of_company int, at timestamptz) returns date
language sql stable return (at at time zone 'America/Mexico_City')::date;
