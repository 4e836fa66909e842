import { Migration } from '@mikro-orm/migrations'

// Plans do not depend on the size of tables, and a sort is not compiled. The role of the writer runs the functions, within its policies.
const plans = 'set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off set jit = off'

/** Rules of declarations for any writer: numbers at the cost of an index lookup, fixed and copied values, and the invoice of one live estimate. */
export class Migration40DeclaredRules extends Migration {
  override up (): void {
    this.locks()
    this.numbers()
    this.copies()
    this.fixed()
    this.search()
    this.invoices()
  }

  /** Functions per row must not lock again: a lock takes longer than the row. A savepoint that is rolled back undoes lock and setting. */
  private locks (): void {
    this.addSql(`
      create function lock_company(company int) returns void language plpgsql as $$
      begin
        if current_setting('app.locked', true) is distinct from company::text then
          perform lock_companies(array[company]);
          perform set_config('app.locked', company::text, true);
        end if;
      end $$`)
  }

  /** A function with the names of its table: a dynamic statement is planned for each row. */
  private maker (name: string, parameters: string, made: string, body: string, names: string): void {
    this.addSql(`
      create procedure ${name}(${parameters}) language plpgsql as $procedure$
      begin
        execute format('create or replace function %I() returns trigger language plpgsql ${plans} as %L', ${made}, format($body$${body}$body$, ${names}));
      end $procedure$`)
    this.addSql(`revoke execute on procedure ${name} from public`)
  }

  private numbers (): void {
    this.maker('make_number_within', 'resource text, field text, parent text', "'number_' || resource || '_' || field", `
      begin
        perform lock_company(new.company_id);
        new.%2$I := 1 + coalesce((
          select t.%2$I from %1$I t where t.company_id = new.company_id and t.%3$I between new.%3$I and new.%3$I
          order by t.%3$I desc, t.%2$I desc limit 1), 0);
        return new;
      end`, 'resource, field, parent')
    this.addSql('drop function number_within()')
  }

  /** For writers other than the service, whose statements copy the value. */
  private copies (): void {
    this.maker('make_copy_from_parent', 'resource text, field text, parent text, parents text, source text', "'copy_' || resource || '_' || field", `
      begin
        perform lock_company(new.company_id);
        select p.%4$I into new.%1$I from %3$I p where p.company_id = new.company_id and p.id between new.%2$I and new.%2$I order by p.id limit 1;
        return new;
      end`, 'field, parent, parents, source')
    this.addSql('drop function copy_from_parent()')
    // Arguments: the column, that of the parent, the parent's table, and the column there.
    this.addSql(`
      create function keep_copied() returns trigger language plpgsql ${plans} as $$
      declare wrong bigint;
      begin
        perform lock_companies(array(select distinct company_id from new_rows));
        execute format('
          select n.id from new_rows n join %I p on p.company_id = n.company_id and p.id = n.%I where n.%I is distinct from p.%I limit 1',
          tg_argv[2], tg_argv[1], tg_argv[0], tg_argv[3])
        into wrong;
        if wrong is not null then
          raise exception '% % has another % than its %', tg_table_name, wrong, tg_argv[0], tg_argv[2]
            using errcode = 'check_violation', table = tg_table_name, constraint = tg_table_name || '_' || tg_argv[0] || '_copied';
        end if;
        return null;
      end $$`)
  }

  private fixed (): void {
    this.addSql(`
      create function refuse_fixed() returns trigger language plpgsql as $$
      begin
        raise exception '%.% is fixed', tg_table_name, tg_argv[0]
          using errcode = 'check_violation', table = tg_table_name, constraint = tg_table_name || '_' || tg_argv[0] || '_fixed';
      end $$`)
    this.addSql(`
      create trigger fixed_contract_id before update on estimates
      for each row when (new.contract_id is distinct from old.contract_id) execute function refuse_fixed('contract_id')`)
  }

  /** Called for a table that loses busqueda, by the migration that drops the column. Fails while another resource's search refers to it. */
  private search (): void {
    this.addSql(`
      create procedure drop_search_of(resource text) language plpgsql as $procedure$
      begin
        -- A running batch would write its progress after the reset below.
        perform pg_advisory_xact_lock(x'6f627207'::int, 0);
        delete from search_resources where name = resource;
        execute format('drop table if exists search.%I', resource);
        execute format('drop policy if exists search_candidates on %I', resource);
        execute format('revoke all on %I from obra_search', resource);
        delete from search.progress;
      end $procedure$`)
    this.addSql('revoke execute on procedure drop_search_of from public')
  }

  /** No unique index: several live estimates can have an invoice from before this rule. They stay, and can still change. */
  private invoices (): void {
    this.addSql(`
      create function keep_invoice() returns trigger language plpgsql ${plans} as $$
      begin
        perform lock_companies(array[new.company_id]);
        if exists (
          select from estimates e
          where e.company_id = new.company_id and e.factura_uuid = new.factura_uuid and e.id <> new.id and e.estado not in ('rechazada', 'cancelada'))
        then
          raise exception 'another live estimate has the invoice of estimate %', new.id using errcode = 'check_violation', constraint = 'estimates_factura_uuid_taken';
        end if;
        return null;
      end $$`)
    const live = "factura_uuid is not null and new.estado <> all (array['rechazada', 'cancelada'])"
    this.addSql(`create trigger keep_invoice_insert after insert on estimates for each row when (new.${live}) execute function keep_invoice()`)
    this.addSql(`
      create trigger keep_invoice_update after update on estimates
      for each row when (new.${live} and (new.factura_uuid is distinct from old.factura_uuid or old.estado = any (array['rechazada', 'cancelada'])))
      execute function keep_invoice()`)
  }
}
