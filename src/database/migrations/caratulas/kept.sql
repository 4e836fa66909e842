-- The cover sheets of authorized estimates, as they were at the authorization. One row has all figures: nothing but the sheet reads them.
create table caratulas (
  company_id int not null,
  estimate_id bigint not null,
  figures json not null,
  primary key (company_id, estimate_id),
  constraint caratulas_estimate_foreign
    foreign key (company_id, estimate_id) references estimates (company_id, id) on delete cascade
);
grant select on caratulas to obra_app;

-- After the rows of the statement are written, so that the sheet counts the other estimates that it authorizes.
create function keep_caratula() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  if new.neto is null then
    delete from caratulas k where k.company_id = new.company_id and k.estimate_id = new.id;
  else
    insert into caratulas (company_id, estimate_id, figures) values (new.company_id, new.id, caratula_of(new.company_id, new.id));
  end if;
  return null;
end $$;
revoke execute on function keep_caratula() from public;
create trigger keep_caratula_insert after insert on estimates
  for each row when (new.neto is not null) execute function keep_caratula();
create trigger keep_caratula_update after update on estimates
  for each row when ((new.neto is null) <> (old.neto is null)) execute function keep_caratula();
