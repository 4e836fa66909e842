import { Migration } from '@mikro-orm/migrations'

/**
 * Revisions, counters and the change log, which every committed write updates; foreign keys within a company; no cycles; and only the rights
 * that the service's role needs.
 */
export class Migration3Walls extends Migration {
  override up (): void {
    this.revisions()
    this.records()
    this.contracts()
    this.accounts()
    this.rights()
  }

  private revisions (): void {
    this.addSql(`
      create function add_company_revision() returns trigger
      language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
      begin
        insert into company_revisions (company_id) values (new.id);
        return null;
      end $$`)
    this.addSql('create trigger add_company_revision after insert on companies for each row execute function add_company_revision()')
    this.addSql('revoke execute on function add_company_revision() from public')

    // Writers of a company wait here for each other. The order of companies prevents deadlocks between writers of several companies.
    this.addSql(`
      create function lock_companies(companies int[]) returns void
      language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
      begin
        perform 1 from company_revisions where company_id = any (companies) order by company_id for update;
      end $$`)

    // Called once for each tenant table, by the migration that creates it. The counter is the column of company_revisions with the table's name.
    this.addSql(String.raw`
      create procedure keep_revisions_of(resource text) language plpgsql as $procedure$
      declare
        body text := $body$
          begin
            if tg_op = 'INSERT' then
              perform lock_companies(array(select distinct company_id from new_rows));
              with touched as (select company_id, count(*) as n from new_rows group by company_id),
              raised as (
                update company_revisions r set revision = revision + 1, %1$I = %1$I + touched.n
                from touched where r.company_id = touched.company_id returning r.company_id, r.revision)
              insert into changes (company_id, revision, resource, record_id, operation)
              select company_id, revision, %1$L, id, 'insert' from new_rows join raised using (company_id);
            elsif tg_op = 'DELETE' then
              perform lock_companies(array(select distinct company_id from old_rows));
              with touched as (select company_id, count(*) as n from old_rows group by company_id),
              raised as (
                update company_revisions r set revision = revision + 1, %1$I = %1$I - touched.n
                from touched where r.company_id = touched.company_id returning r.company_id, r.revision)
              insert into changes (company_id, revision, resource, record_id, operation)
              select company_id, revision, %1$L, id, 'delete' from old_rows join raised using (company_id);
            else
              perform lock_companies(array(select distinct company_id from new_rows));
              with raised as (
                update company_revisions set revision = revision + 1
                where company_id in (select company_id from new_rows) returning company_id, revision)
              insert into changes (company_id, revision, resource, record_id, operation)
              select company_id, revision, %1$L, id, 'update' from new_rows join raised using (company_id);
            end if;
            return null;
          end $body$;
      begin
        execute format('create function %I() returns trigger language plpgsql security definer set search_path = pg_catalog, public, pg_temp as %L',
          resource || '_revision', format(body, resource));
        -- Nobody else may put it on a table of their own, whose rows would then be counted as this one's.
        execute format('revoke execute on function %I() from public', resource || '_revision');
        execute format('create trigger revision_insert after insert on %1$I referencing new table as new_rows for each statement execute function %2$I()', resource, resource || '_revision');
        execute format('create trigger revision_update after update on %1$I referencing new table as new_rows for each statement execute function %2$I()', resource, resource || '_revision');
        execute format('create trigger revision_delete after delete on %1$I referencing old table as old_rows for each statement execute function %2$I()', resource, resource || '_revision');
        execute format('create trigger touch_record before update on %1$I for each row execute function touch_record()', resource);
        execute format('create trigger refuse_truncate before truncate on %1$I for each statement execute function refuse_truncate()', resource);
        execute format('grant select, insert, update, delete on %1$I to obra_app', resource);
        execute format('grant usage, select on sequence %I to obra_app', resource || '_id_seq');
      end $procedure$`)
  }

  private records (): void {
    this.addSql(`
      create function touch_record() returns trigger language plpgsql as $$
      begin
        if new.company_id <> old.company_id then
          raise exception 'a record cannot move to another company' using errcode = 'check_violation';
        end if;
        if new.id <> old.id then
          raise exception 'a record keeps its id: references, cycles and the change log go by it' using errcode = 'check_violation';
        end if;
        new.version := old.version + 1;
        new.created_at := old.created_at;
        new.updated_at := clock_timestamp();
        return new;
      end $$`)
    this.addSql(`
      create function refuse_truncate() returns trigger language plpgsql as $$
      begin
        raise exception 'delete the rows instead: truncate would pass by revisions and counters' using errcode = 'feature_not_supported';
      end $$`)
    this.addSql("call keep_revisions_of('contrapartes')")
    this.addSql("call keep_revisions_of('contracts')")
  }

  private contracts (): void {
    // Foreign key checks bypass row-level security, so the key contains the company.
    this.addSql('alter table contracts add constraint contracts_parent_foreign foreign key (company_id, parent_id) references contracts (company_id, id)')
    this.addSql('alter table contracts add constraint contracts_contraparte_foreign foreign key (company_id, contraparte_id) references contrapartes (company_id, id)')

    // Locks before it reads, so that of two concurrent moves that form a cycle, the second sees the first.
    this.addSql(`
      create function refuse_contract_cycle() returns trigger language plpgsql as $$
      begin
        perform lock_companies(array[new.company_id]);
        if exists (
          with recursive above (id, parent_id) as (
            select id, parent_id from contracts where company_id = new.company_id and id = new.parent_id
            union
            select c.id, c.parent_id from above join contracts c on c.company_id = new.company_id and c.id = above.parent_id)
          select from above where id = new.id)
        then
          raise exception 'contract % would be under itself', new.id using errcode = 'check_violation', constraint = 'contracts_parent_acyclic';
        end if;
        return null;
      end $$`)
    // In a cycle within one insert, at least one row refers to a later id.
    this.addSql('create trigger refuse_cycle_insert after insert on contracts for each row when (new.parent_id >= new.id) execute function refuse_contract_cycle()')
    this.addSql('create trigger refuse_cycle_update after update of parent_id on contracts for each row when (new.parent_id is distinct from old.parent_id) execute function refuse_contract_cycle()')
  }

  private accounts (): void {
    this.addSql(`
      create function end_sessions() returns trigger language plpgsql as $$
      begin
        update sessions set revoked_at = clock_timestamp() where user_id = new.id and revoked_at is null;
        return null;
      end $$`)
    this.addSql('create trigger end_sessions after update of activo on users for each row when (old.activo and not new.activo) execute function end_sessions()')
    // A log-in reads the highest iteration count of Django hashes, so that refusals take the same time for all accounts.
    this.addSql("create index users_pbkdf2_index on users ((split_part(password, '$', 2)::int)) where password like 'pbkdf2_sha256$%'")
  }

  private rights (): void {
    this.addSql('grant usage on schema public to obra_app')
    this.addSql('grant select, insert, update on customers, companies, users to obra_app')
    this.addSql('grant select, insert, update, delete on memberships, sessions, refresh_tokens to obra_app')
    this.addSql('grant select on company_revisions, changes, mikro_orm_migrations to obra_app')
    this.addSql('grant usage, select on sequence customers_id_seq, companies_id_seq, users_id_seq, memberships_id_seq to obra_app')
  }
}
