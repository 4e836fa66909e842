-- A change order in `borrador` can get an advance, or lose it. Estimates that are not authorized follow.
create or replace function change_advance() returns trigger
language plpgsql security definer
set search_path = pg_catalog, public, pg_temp set enable_seqscan = off set enable_bitmapscan = off
set enable_sort = off set jit = off as $$
begin
  perform lock_companies(array[new.company_id]);
  if current_setting('app.callers', true) <> '' then
    perform note_caller('estimates', l.estimate_id, caller_of('convenios', new.id)) from (
      select distinct l.estimate_id
      from conceptos k join estimate_lines l on l.company_id = k.company_id and l.concepto_id = k.id
      where k.company_id = new.company_id and k.convenio_id = new.id and l.anterior is null) l;
  end if;
  with written as (
    update estimate_lines l set con_anticipo = new.con_anticipo from conceptos k
    where k.company_id = new.company_id and k.convenio_id = new.id
      and l.company_id = k.company_id and l.concepto_id = k.id and l.anterior is null
    returning l.estimate_id, l.importe),
  by_estimate as (select w.estimate_id, sum(w.importe) as importe from written w group by 1)
  update estimates e set sin_anticipo = e.sin_anticipo + case when new.con_anticipo then -b.importe else b.importe end
  from by_estimate b where e.company_id = new.company_id and e.id = b.estimate_id;
  return null;
end
$$;
revoke execute on function change_advance() from public;
