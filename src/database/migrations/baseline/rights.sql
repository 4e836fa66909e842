-- Only the rights that the service's role and that of the search need. The files of functions have theirs.

grant usage on schema public to obra_app;
grant select on
  company_revisions, changes, purged_revisions, history, authority_revisions, mikro_orm_migrations,
  contract_sums, subcontract_sums, concepto_sums, estimate_sums, estimate_lines, movement_sums to obra_app;
grant select, insert, update on customers, companies, users, webhook_cursors, last_backup to obra_app;
grant select, insert, delete on idempotency_keys, webhook_deliveries to obra_app;
grant select, insert, update, delete on
  memberships, sessions, refresh_tokens, known_addresses, devices, mutations, device_refs,
  contrapartes, contracts, contract_levels, convenios, conceptos, programa, estimates, generadores, movimientos, pagos,
  adjuntos, stored_files, uploads, webhooks to obra_app;
grant usage, select on sequence
  customers_id_seq, companies_id_seq, users_id_seq, memberships_id_seq, idempotency_keys_id_seq, webhook_deliveries_id_seq,
  contrapartes_id_seq, contracts_id_seq, convenios_id_seq, conceptos_id_seq, programa_id_seq, estimates_id_seq, generadores_id_seq,
  movimientos_id_seq, pagos_id_seq, adjuntos_id_seq, webhooks_id_seq to obra_app;

grant select on search_resources to obra_search;
grant select, insert, update on search.progress to obra_search;
grant select (company_id, revision) on company_revisions to obra_search;
grant select (company_id, revision, resource, record_id) on changes to obra_search;

do $$ begin
  if not (select rolsuper from pg_roles where rolname = current_user) then
    execute format('revoke obra_search from %I', current_user);
  end if;
end $$;
