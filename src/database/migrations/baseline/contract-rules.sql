-- Rules of contracts and estimates, for any writer. Each locks the company before it reads, so that it sees concurrent writes.

create function refuse_contract_cycle() returns trigger language plpgsql as $$
begin
  perform lock_companies(array[new.company_id]);
  if exists (
    with recursive above (id, parent_id) as (
      select id, parent_id from contracts where company_id = new.company_id and id = new.parent_id
      union
      select c.id, c.parent_id from above join contracts c on c.company_id = new.company_id and c.id = above.parent_id)
    select from above where id = new.id)
  then
    raise exception 'contract % would be under itself', new.id using errcode = 'check_violation', constraint = 'contracts_parent_acyclic';
  end if;
  return null;
end $$;
-- In a cycle within one insert, at least one row refers to a later id.
create trigger refuse_cycle_insert after insert on contracts
  for each row when (new.parent_id >= new.id) execute function refuse_contract_cycle();
create trigger refuse_cycle_update after update of parent_id on contracts
  for each row when (new.parent_id is distinct from old.parent_id) execute function refuse_contract_cycle();

-- A contract keeps its currency while it has live estimates, and a closed contract takes no new ones.
create function keep_currency() returns trigger language plpgsql as $$
begin
  perform lock_companies(array[new.company_id]);
  if exists (select from estimates e where e.company_id = new.company_id and e.contract_id = new.id and e.estado not in ('rechazada', 'cancelada')) then
    raise exception 'contract % has estimates in its currency', new.id using errcode = 'check_violation', constraint = 'contracts_currency';
  end if;
  return new;
end $$;
create trigger keep_currency before update of moneda on contracts
  for each row when (new.moneda <> old.moneda) execute function keep_currency();
create function keep_closed() returns trigger language plpgsql as $$
declare closed text;
begin
  perform lock_companies(array[new.company_id]);
  select c.estado into closed from contracts c where c.company_id = new.company_id and c.id = new.contract_id and c.estado in ('terminado', 'cancelado');
  if tg_op = 'INSERT' then
    if closed is not null then
      raise exception 'contract % is closed', new.contract_id using errcode = 'check_violation', constraint = 'estimates_contract_open';
    end if;
  elsif closed = 'cancelado' and new.estado not in ('rechazada', 'cancelada') then
    raise exception 'contract % is cancelled', new.contract_id using errcode = 'check_violation', constraint = 'estimates_contract_not_cancelled';
  end if;
  return new;
end $$;
create trigger keep_closed_insert before insert on estimates for each row execute function keep_closed();
create trigger keep_closed_update before update of estado on estimates
  for each row when (new.estado <> old.estado) execute function keep_closed();

-- The only definition of an estimate's amounts. Percentages are multiplied by 0.01 instead of divided by 100, because a product of
-- decimals is exact, but a quotient would be rounded twice. `offset 0` keeps the planner from repeating the sum of the remaining advance
-- for each reference to it.
create function estimate_amounts(
  of_company int, of_contract bigint, monto numeric, deductivas numeric,
  anticipo_porcentaje numeric, retencion_porcentaje numeric, iva_porcentaje numeric)
returns table (amortizacion numeric, retencion numeric, subtotal numeric, iva numeric, neto numeric)
language sql stable rows 1
begin atomic
  select a.amortizacion, r.retencion, s.subtotal, i.iva, s.subtotal + i.iva
  from (
    select greatest(0.00, round(c.monto * estimate_amounts.anticipo_porcentaje * 0.01, 2) - (
      select coalesce(sum(e.amortizacion), 0.00) from estimates e
      where e.company_id = of_company and e.contract_id = of_contract and e.neto is not null)) as anticipo
    from contracts c where c.company_id = of_company and c.id = of_contract offset 0) remaining
  cross join lateral (select least(remaining.anticipo, round(monto * anticipo_porcentaje * 0.01, 2)) as amortizacion) a
  cross join lateral (select round((monto - a.amortizacion) * retencion_porcentaje * 0.01, 2) as retencion) r
  cross join lateral (select monto - a.amortizacion - r.retencion - deductivas as subtotal) s
  cross join lateral (select round(s.subtotal * iva_porcentaje * 0.01, 2) as iva) i;
end;

-- PostgreSQL plans an SQL function again in each statement, a plpgsql one once.
create function authorized_amount(of_company int, of_contract bigint) returns numeric
language plpgsql stable as $$
begin
  return (
    select coalesce(sum(e.monto), 0.00) from estimates e
    where e.company_id = of_company and e.contract_id = of_contract and e.neto is not null);
end $$;

create function exceeds_contract(of_company int, of_contract bigint, monto numeric, further numeric) returns boolean
language sql stable return authorized_amount(of_company, of_contract) + further > monto;
comment on function exceeds_contract is 'Whether the authorized estimates of a contract and a further amount are more than monto.';

-- Sets the number, copies the percentages, and fixes the amounts at authorization. A row sees earlier rows of the same statement.
create function keep_estimate() returns trigger language plpgsql as $$
declare contract record;
begin
  perform lock_companies(array[new.company_id]);
  select c.monto, c.anticipo_porcentaje, c.retencion_porcentaje, c.iva_porcentaje into contract
  from contracts c where c.company_id = new.company_id and c.id = new.contract_id;
  if tg_op = 'INSERT' then
    new.numero := 1 + coalesce((select max(e.numero) from estimates e where e.company_id = new.company_id and e.contract_id = new.contract_id), 0);
    -- 0 without a contract: the foreign key refuses the row.
    new.anticipo_porcentaje := coalesce(contract.anticipo_porcentaje, 0);
    new.retencion_porcentaje := coalesce(contract.retencion_porcentaje, 0);
    new.iva_porcentaje := coalesce(contract.iva_porcentaje, 0);
  elsif (new.contract_id, new.numero, new.anticipo_porcentaje, new.retencion_porcentaje, new.iva_porcentaje) is distinct from (old.contract_id, old.numero, old.anticipo_porcentaje, old.retencion_porcentaje, old.iva_porcentaje) then
    raise exception 'an estimate keeps its contract, numero and percentages' using errcode = 'check_violation', constraint = 'estimates_identity';
  elsif old.neto is not null then
    if (new.monto, new.deductivas, new.amortizacion, new.retencion, new.subtotal, new.iva, new.neto) is distinct from (old.monto, old.deductivas, old.amortizacion, old.retencion, old.subtotal, old.iva, old.neto) then
      raise exception 'the amounts of an authorized estimate are fixed' using errcode = 'check_violation', constraint = 'estimates_fixed';
    end if;
    return new;
  end if;
  if new.estado in ('autorizada', 'pagada') then
    if exceeds_contract(new.company_id, new.contract_id, contract.monto, new.monto) then
      raise exception 'more would be authorized than the contract is for' using errcode = 'check_violation', constraint = 'estimates_within_contract';
    end if;
    select a.* into new.amortizacion, new.retencion, new.subtotal, new.iva, new.neto
    from estimate_amounts(new.company_id, new.contract_id, new.monto, new.deductivas, new.anticipo_porcentaje, new.retencion_porcentaje, new.iva_porcentaje) a;
    if new.subtotal < 0 then
      raise exception 'an estimate would be authorized for less than nothing' using errcode = 'check_violation', constraint = 'estimates_subtotal';
    end if;
  else
    new.amortizacion := null; new.retencion := null; new.subtotal := null; new.iva := null; new.neto := null;
  end if;
  return new;
end $$;
create trigger keep_estimate before insert or update on estimates for each row execute function keep_estimate();

-- Runs after the statement, so that one statement can delete the last several estimates.
create function keep_estimate_numbers() returns trigger language plpgsql as $$
begin
  perform lock_companies(array[old.company_id]);
  if old.neto is not null or exists (select from estimates e where e.company_id = old.company_id and e.contract_id = old.contract_id and e.numero > old.numero) then
    raise exception 'only the last estimate of a contract can go, and none that was authorized' using errcode = 'check_violation', constraint = 'estimates_numbers';
  end if;
  return null;
end $$;
create trigger keep_estimate_numbers after delete on estimates for each row execute function keep_estimate_numbers();

create function keep_authorized() returns trigger language plpgsql as $$
begin
  perform lock_companies(array[new.company_id]);
  if exceeds_contract(new.company_id, new.id, new.monto, 0) then
    raise exception 'contract % has more authorized than that', new.id using errcode = 'check_violation', constraint = 'contracts_authorized';
  end if;
  return new;
end $$;
create trigger keep_authorized before update of monto on contracts
  for each row when (new.monto < old.monto) execute function keep_authorized();
