-- An attached invoice fills the empty factura_uuid of its estimate, or replaces the one that it names as replaced, unless another live estimate
-- of the company has it.
create or replace function fill_invoice() returns trigger
language plpgsql
set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off set jit = off as $$
declare replaced uuid[];
begin
  perform lock_companies(array[new.company_id]);
  if current_setting('app.callers', true) <> '' then
    perform note_causes('estimates', 'adjuntos', array[new.estimate_id], array[new.id]);
  end if;
  select array(select jsonb_array_elements_text(f.cfdi -> 'sustituye')::uuid) into replaced from stored_files f
  where f.company_id = new.company_id and f.sha256 = new.sha256;
  update estimates e set factura_uuid = new.cfdi_uuid
  where e.company_id = new.company_id and e.id = new.estimate_id
    and (e.factura_uuid is null or e.factura_uuid = any (replaced)) and e.estado not in ('rechazada', 'cancelada')
    and not exists (
      select from estimates o
      where o.company_id = new.company_id and o.factura_uuid = new.cfdi_uuid and o.estado not in ('rechazada', 'cancelada'));
  return null;
end
$$;
