-- When an estimate was authorized. Earlier authorizations are in the history, unless it was purged. No trigger runs: nothing else changes.
alter table estimates add autorizada_en timestamptz(6) null;
select set_config('app.companies', (select coalesce(array_agg(id), '{}')::text from companies), true);
alter table estimates disable trigger user;
update estimates e set autorizada_en = h.at
from (
  select h.company_id, h.record_id, max(h.at) as at
  from history h
  cross join lateral (
    select case h.operation when 'update' then h.fields -> 'estado' ->> 0 else '' end as before,
      case h.operation when 'update' then h.fields -> 'estado' ->> 1 else h.fields ->> 'estado' end as after offset 0) s
  where h.resource = 'estimates' and h.operation in ('insert', 'update')
    and s.before not in ('autorizada', 'pagada') and s.after in ('autorizada', 'pagada')
  group by 1, 2) h
where e.company_id = h.company_id and e.id = h.record_id and e.neto is not null;
alter table estimates enable trigger user;
select set_config('app.companies', '', true);

-- After `keep_estimate` and `undo_authorization`, which set and remove the amounts.
create function keep_autorizada_en() returns trigger language plpgsql as $$
begin
  if new.neto is null then
    new.autorizada_en := null;
  elsif tg_op = 'INSERT' then
    new.autorizada_en := clock_timestamp();
  else
    new.autorizada_en := case when old.neto is null then clock_timestamp() else old.autorizada_en end;
  end if;
  return new;
end $$;
create trigger when_authorized_insert before insert on estimates
  for each row when (new.neto is not null or new.autorizada_en is not null) execute function keep_autorizada_en();
create trigger when_authorized_update before update on estimates
  for each row when ((new.neto is null) <> (old.neto is null) or new.autorizada_en is distinct from old.autorizada_en)
  execute function keep_autorizada_en();
