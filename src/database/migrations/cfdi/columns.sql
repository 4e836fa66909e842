-- What Obra reads of an electronic invoice. An attachment has it as columns, which a trigger copies from its file.
alter table stored_files add cfdi jsonb null;
alter table adjuntos
  add cfdi_uuid uuid null,
  add cfdi_tipo varchar(1) null,
  add cfdi_emisor varchar(13) null,
  add cfdi_receptor varchar(13) null,
  add cfdi_total numeric(18, 6) null,
  add cfdi_moneda varchar(3) null,
  add cfdi_fecha date null,
  add constraint adjuntos_cfdi_check check (
    num_nonnulls(cfdi_uuid, cfdi_tipo, cfdi_emisor, cfdi_receptor, cfdi_total, cfdi_moneda, cfdi_fecha) in (0, 7));
create index adjuntos_cfdi_uuid_index on adjuntos (company_id, cfdi_uuid) where cfdi_uuid is not null;
create index adjuntos_invoices_index on adjuntos (company_id, estimate_id, id) where cfdi_tipo = 'I';

create or replace function keep_file_state() returns trigger language plpgsql as $$
declare cfdi jsonb;
begin
  perform lock_companies(array[new.company_id]);
  update stored_files f set unused_since = null
  where f.company_id = new.company_id and f.sha256 = new.sha256 and f.bytes = new.bytes and f.tipo = new.tipo
    and f.unused_since is not null and not f.removing;
  select f.cfdi into cfdi from stored_files f
  where f.company_id = new.company_id and f.sha256 = new.sha256 and f.bytes = new.bytes and f.tipo = new.tipo and not f.removing;
  new.estado := case when found then 'listo' else 'pendiente' end;
  new.cfdi_uuid := (cfdi ->> 'uuid')::uuid;
  new.cfdi_tipo := cfdi ->> 'tipo';
  new.cfdi_emisor := cfdi ->> 'emisor';
  new.cfdi_receptor := cfdi ->> 'receptor';
  new.cfdi_total := (cfdi ->> 'total')::numeric;
  new.cfdi_moneda := cfdi ->> 'moneda';
  new.cfdi_fecha := (cfdi ->> 'fecha')::date;
  return new;
end $$;
