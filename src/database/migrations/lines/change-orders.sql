-- Executed quantities keep the rows of their change orders. Reductions count from the signature.
create function reduces_executed(of_company int, of_convenio bigint) returns boolean language plpgsql stable as $$
begin
  return exists (
    select from (
      select r.contract_id, r.clave, r.cantidad from conceptos r
      where r.company_id = of_company and r.convenio_id between of_convenio and of_convenio and r.cantidad < 0
      order by r.convenio_id offset 0) r
    where current_quantity(of_company, r.contract_id, r.clave) + r.cantidad < (
      select coalesce(sum(s.cantidad), 0) from (
        select k.id from conceptos k
        where k.company_id = of_company and k.contract_id = r.contract_id and k.clave between r.clave and r.clave
        order by k.clave offset 0) k
      cross join lateral (
        select s.cantidad from concepto_sums s
        where s.company_id = of_company and s.concepto_id between k.id and k.id order by s.concepto_id limit 1) s));
end $$;
create function keep_executed() returns trigger language plpgsql as $$
begin
  perform lock_companies(array[new.company_id]);
  if reduces_executed(new.company_id, new.id) then
    raise exception 'change order % would reduce what is executed', new.id
      using errcode = 'check_violation', constraint = 'convenios_executed';
  end if;
  return new;
end $$;
create trigger keep_executed before update of estado on convenios
  for each row when (new.estado = 'firmado' and old.estado <> 'firmado') execute function keep_executed();

-- The rows of a change order in `autorizado` that an authorized estimate has stay as they are, so it cannot become a draft again.
create function is_estimated(of_company int, of_convenio bigint) returns boolean language plpgsql stable as $$
begin
  return exists (
    select from (
      select k.id from conceptos k
      where k.company_id = of_company and k.convenio_id between of_convenio and of_convenio order by k.convenio_id offset 0) k
    cross join lateral (
      select from estimate_lines l
      where l.company_id = of_company and l.concepto_id between k.id and k.id and l.anterior is not null
      order by l.concepto_id limit 1) l);
end $$;
create function keep_estimated() returns trigger language plpgsql as $$
begin
  perform lock_companies(array[new.company_id]);
  if is_estimated(new.company_id, new.id) then
    raise exception 'authorized estimates have rows of change order %', new.id
      using errcode = 'check_violation', constraint = 'convenios_extra_in_use';
  end if;
  return new;
end $$;
create trigger keep_estimated before update of estado on convenios
  for each row when (old.estado = 'autorizado' and new.estado <> all (array['autorizado', 'firmado']))
  execute function keep_estimated();
