-- Bytes that a company has stored. `removing`: they may be gone already.
create table stored_files (
  company_id int not null,
  sha256 varchar(64) not null,
  bytes int not null,
  tipo varchar(80) not null,
  unused_since timestamptz(6) null,
  removing boolean not null default false,
  constraint stored_files_pkey primary key (company_id, sha256),
  constraint stored_files_company_id_foreign foreign key (company_id) references companies (id)
);
create index stored_files_bytes_index on stored_files (company_id) include (bytes);
create index stored_files_unused_index on stored_files (company_id, unused_since) where unused_since is not null;

-- Running uploads. A row outlives a killed process, so its bytes are found.
create table uploads (
  id uuid primary key,
  company_id int not null,
  sha256 varchar(64) not null,
  bytes int not null,
  begun_at timestamptz(6) not null default clock_timestamp(),
  constraint uploads_company_id_foreign foreign key (company_id) references companies (id)
);
create index uploads_begun_at_index on uploads (company_id, begun_at);
grant select, insert, update, delete on stored_files, uploads to obra_app;

-- An attachment is `listo` exactly while the company has its bytes. The lock keeps a removal from coming between.
create function keep_file_state() returns trigger language plpgsql as $$
begin
  perform lock_companies(array[new.company_id]);
  update stored_files f set unused_since = null
  where f.company_id = new.company_id and f.sha256 = new.sha256 and f.bytes = new.bytes and f.tipo = new.tipo
    and f.unused_since is not null and not f.removing;
  new.estado := case when exists (
    select from stored_files f
    where f.company_id = new.company_id and f.sha256 = new.sha256 and f.bytes = new.bytes and f.tipo = new.tipo and not f.removing)
    then 'listo' else 'pendiente' end;
  return new;
end $$;
create trigger keep_estado_insert before insert on adjuntos for each row execute function keep_file_state();
create trigger keep_estado_update before update on adjuntos for each row when (new.estado <> old.estado) execute function keep_file_state();

-- Refuses the removal of files of authorized and signed records, and notes when bytes have lost their last attachment.
create function release_files() returns trigger language plpgsql as $$
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
end $$;
create trigger release_files after delete on adjuntos referencing old table as old_rows
  for each statement execute function release_files();
