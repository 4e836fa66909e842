-- The position of an authorization among those of its contract. Earlier ones are in the order of `numero`. No trigger runs: for the readers
-- of an estimate nothing changes.
alter table estimates add autorizacion int null;
select set_config('app.companies', (select coalesce(array_agg(id), '{}')::text from companies), true);
alter table estimates disable trigger user;
update estimates e set autorizacion = n.autorizacion
from (
  select id, row_number() over (partition by company_id, contract_id order by numero) as autorizacion from estimates
  where neto is not null) n
where e.id = n.id;
alter table estimates enable trigger user;
select set_config('app.companies', '', true);
alter table estimates add constraint estimates_autorizacion_check check ((autorizacion is null) = (neto is null));
drop index estimates_authorized_index;
create index estimates_authorized_index on estimates (company_id, contract_id, autorizacion)
  include (monto, amortizacion) where neto is not null;

-- After keep_estimate, which has locked the company. A row sees earlier rows of its statement.
create function number_authorization() returns trigger language plpgsql as $$
begin
  new.autorizacion := 1 + coalesce((
    select e.autorizacion from estimates e
    where e.company_id = new.company_id and e.contract_id = new.contract_id and e.neto is not null
    order by e.autorizacion desc limit 1), 0);
  return new;
end $$;
create trigger number_authorization_insert before insert on estimates
  for each row when (new.neto is not null) execute function number_authorization();
create trigger number_authorization_update before update on estimates
  for each row when (old.neto is null and new.neto is not null) execute function number_authorization();
