import { Migration } from '@mikro-orm/migrations'

/** Triggers: a contract keeps its currency while it has live estimates, and a closed contract takes no new ones. */
export class Migration12ClosedContracts extends Migration {
  override up (): void {
    // Locks before it reads, as keep_estimate does.
    this.addSql(`
      create function keep_currency() returns trigger language plpgsql as $$
      begin
        perform lock_companies(array[new.company_id]);
        if exists (select from estimates e where e.company_id = new.company_id and e.contract_id = new.id and e.estado not in ('rechazada', 'cancelada')) then
          raise exception 'contract % has estimates in its currency', new.id using errcode = 'check_violation', constraint = 'contracts_currency';
        end if;
        return new;
      end $$`)
    this.addSql('create trigger keep_currency before update of moneda on contracts for each row when (new.moneda <> old.moneda) execute function keep_currency()')

    this.addSql(`
      create function keep_closed() returns trigger language plpgsql as $$
      declare closed text;
      begin
        perform lock_companies(array[new.company_id]);
        select c.estado into closed from contracts c where c.company_id = new.company_id and c.id = new.contract_id and c.estado in ('terminado', 'cancelado');
        if tg_op = 'INSERT' then
          if closed is not null then
            raise exception 'contract % is closed', new.contract_id using errcode = 'check_violation', constraint = 'estimates_contract_open';
          end if;
        elsif closed = 'cancelado' and new.estado not in ('rechazada', 'cancelada') then
          raise exception 'contract % is cancelled', new.contract_id using errcode = 'check_violation', constraint = 'estimates_contract_not_cancelled';
        end if;
        return new;
      end $$`)
    this.addSql('create trigger keep_closed_insert before insert on estimates for each row execute function keep_closed()')
    this.addSql('create trigger keep_closed_update before update of estado on estimates for each row when (new.estado <> old.estado) execute function keep_closed()')
  }
}
