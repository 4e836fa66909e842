import { Migration } from '@mikro-orm/migrations'

/** Faster functions of writes. */
export class Migration21WriteFunctions extends Migration {
  override up (): void {
    // Looks each company up. With few companies, one query read the whole table, with all old versions of its rows.
    this.addSql(`
      create or replace function lock_companies(companies int[]) returns void
      language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
      declare company int;
      begin
        for company in select distinct c from unnest(companies) c order by c loop
          perform from company_revisions where company_id = company for update;
        end loop;
      end $$`)
    // PostgreSQL plans an SQL function again in each statement.
    this.addSql(`
      create or replace function authorized_amount(of_company int, of_contract bigint) returns numeric
      language plpgsql stable as $$
      begin
        return (
          select coalesce(sum(e.monto), 0.00) from estimates e
          where e.company_id = of_company and e.contract_id = of_contract and e.neto is not null);
      end $$`)
  }
}
