-- Only the rights that the service's role and that of the search need. keep_revisions_of and keep_search_of grant those on their tables.

grant usage on schema public to obra_app;
grant select on company_revisions, changes, purged_revisions, authority_revisions, mikro_orm_migrations to obra_app;
grant select, insert, update on customers, companies, users, webhook_cursors to obra_app;
grant select, insert, delete on idempotency_keys, webhook_deliveries to obra_app;
grant select, insert, update, delete on memberships, sessions, refresh_tokens, known_addresses, devices, mutations, device_refs to obra_app;
grant usage, select on sequence
  customers_id_seq, companies_id_seq, users_id_seq, memberships_id_seq, idempotency_keys_id_seq, webhook_deliveries_id_seq to obra_app;

revoke execute on procedure keep_revisions_of(text), keep_search_of(text, text, text) from public;
revoke execute on function
  add_company_revision(), raise_authority(int), raise_authority_of_user(), raise_authority_of_all(),
  lock_companies(int[]), locked_companies(int[]), purge_changes(int, bigint, text, bigint, int),
  search.index_changes(int, int, int), search.unindexed(int, text), search.candidates(text, int, text[], int) from public;
-- Triggers on contracts and estimates call lock_companies as the role that writes.
grant execute on function
  lock_companies(int[]), locked_companies(int[]), purge_changes(int, bigint, text, bigint, int),
  search.index_changes(int, int, int), search.candidates(text, int, text[], int) to obra_app;

grant select on search_resources to obra_search;
grant select, insert, update on search.progress to obra_search;
grant select (company_id, revision) on company_revisions to obra_search;
grant select (company_id, revision, resource, record_id) on changes to obra_search;
grant execute on function search.unindexed(int, text) to obra_search;

alter function search.index_changes(int, int, int) owner to obra_search;
alter function search.candidates(text, int, text[], int) owner to obra_search;
do $$ begin
  if not (select rolsuper from pg_roles where rolname = current_user) then
    execute format('revoke obra_search from %I', current_user);
  end if;
end $$;
