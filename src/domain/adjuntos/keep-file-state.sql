-- An attachment is `listo` exactly while the company has its bytes, and then has their media type. The lock keeps a removal from coming between.
create or replace function keep_file_state() returns trigger
language plpgsql
set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off set jit = off as $$
declare
  stored_tipo text;
  cfdi jsonb;
begin
  perform lock_companies(array[new.company_id]);
  update stored_files f set unused_since = null
  where f.company_id = new.company_id and f.sha256 = new.sha256 and f.bytes = new.bytes and f.unused_since is not null and not f.removing;
  select f.tipo, f.cfdi into stored_tipo, cfdi from stored_files f
  where f.company_id = new.company_id and f.sha256 = new.sha256 and f.bytes = new.bytes and not f.removing;
  new.estado := case when found then 'listo' else 'pendiente' end;
  if stored_tipo <> new.tipo then
    new.tipo_declarado := new.tipo;
    new.tipo := stored_tipo;
  end if;
  new.cfdi_uuid := (cfdi ->> 'uuid')::uuid;
  new.cfdi_tipo := cfdi ->> 'tipo';
  new.cfdi_emisor := cfdi ->> 'emisor';
  new.cfdi_receptor := cfdi ->> 'receptor';
  new.cfdi_total := (cfdi ->> 'total')::numeric;
  new.cfdi_moneda := cfdi ->> 'moneda';
  new.cfdi_fecha := (cfdi ->> 'fecha')::date;
  return new;
end
$$;
