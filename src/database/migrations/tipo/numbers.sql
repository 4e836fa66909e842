-- Advance documents have their own numbers. One index has both series, because lists and sums by number read estimates of any kind.
alter table "estimates" drop constraint "estimates_numero_unique";
create unique index "estimates_numero_unique" on "estimates" (
  "company_id", "contract_id", "numero", (case tipo when 'anticipo' then 1 else 0 end));
create index "estimates_advances_index" on "estimates" ("company_id", "contract_id", "numero") where tipo = 'anticipo';

-- Runs after the statement, so that one statement can delete the last several estimates.
create or replace function keep_estimate_numbers() returns trigger language plpgsql as $$
begin
  perform lock_companies(array[old.company_id]);
  if old.neto is not null or exists (
    select from estimates e
    where e.company_id = old.company_id and e.contract_id = old.contract_id and e.numero > old.numero
      and case e.tipo when 'anticipo' then 1 else 0 end = case old.tipo when 'anticipo' then 1 else 0 end)
  then
    raise exception 'only the last estimate of a contract can go, and none that was authorized'
      using errcode = 'check_violation', constraint = 'estimates_numbers';
  end if;
  return null;
end $$;
