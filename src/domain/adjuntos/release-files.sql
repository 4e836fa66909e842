-- Refuses the removal of files of authorized and signed records, and notes when bytes have lost their last attachment.
create or replace function release_files() returns trigger
language plpgsql
set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off set jit = off as $$
declare kept bigint;
begin
  perform lock_companies(array(select distinct company_id from old_rows));
  select o.id into kept from old_rows o
  where o.estado = 'listo' and (
    exists (
      select from estimates e
      where e.company_id = o.company_id and e.id = o.estimate_id and e.estado in ('autorizada', 'pagada'))
    or exists (
      select from generadores g join estimates e on e.company_id = g.company_id and e.id = g.estimate_id
      where g.company_id = o.company_id and g.id = o.generador_id and e.estado in ('autorizada', 'pagada'))
    or exists (
      select from convenios v where v.company_id = o.company_id and v.id = o.convenio_id and v.estado = 'firmado'))
  limit 1;
  if kept is not null then
    raise exception 'attachment % belongs to an authorized or signed record', kept
      using errcode = 'check_violation', constraint = 'adjuntos_kept';
  end if;
  update stored_files f set unused_since = clock_timestamp()
  from (select distinct company_id, sha256 from old_rows where estado = 'listo') o
  where f.company_id = o.company_id and f.sha256 = o.sha256 and f.unused_since is null
    and not exists (
      select from adjuntos a where a.company_id = f.company_id and a.sha256 = f.sha256 and a.estado = 'listo');
  return null;
end
$$;
