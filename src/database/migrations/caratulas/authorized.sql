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
