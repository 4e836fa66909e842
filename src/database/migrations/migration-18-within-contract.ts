import { Migration } from '@mikro-orm/migrations'

/** The condition "not above the contract's amount" as one function for both triggers and the API's checks. */
export class Migration18WithinContract extends Migration {
  override up (): void {
    this.addSql(`
      create function exceeds_contract(of_company int, of_contract bigint, monto numeric, further numeric) returns boolean
      language sql stable return authorized_amount(of_company, of_contract) + further > monto`)
    this.addSql("comment on function exceeds_contract is 'Whether the authorized estimates of a contract and a further amount are more than monto.'")
    this.addSql(`
      create or replace function keep_estimate() returns trigger language plpgsql as $$
      declare contract record;
      begin
        perform lock_companies(array[new.company_id]);
        select c.monto, c.anticipo_porcentaje, c.retencion_porcentaje, c.iva_porcentaje into contract
        from contracts c where c.company_id = new.company_id and c.id = new.contract_id;
        if tg_op = 'INSERT' then
          new.numero := 1 + coalesce((select max(e.numero) from estimates e where e.company_id = new.company_id and e.contract_id = new.contract_id), 0);
          -- 0 without a contract: the foreign key refuses the row.
          new.anticipo_porcentaje := coalesce(contract.anticipo_porcentaje, 0);
          new.retencion_porcentaje := coalesce(contract.retencion_porcentaje, 0);
          new.iva_porcentaje := coalesce(contract.iva_porcentaje, 0);
        elsif (new.contract_id, new.numero, new.anticipo_porcentaje, new.retencion_porcentaje, new.iva_porcentaje) is distinct from (old.contract_id, old.numero, old.anticipo_porcentaje, old.retencion_porcentaje, old.iva_porcentaje) then
          raise exception 'an estimate keeps its contract, numero and percentages' using errcode = 'check_violation', constraint = 'estimates_identity';
        elsif old.neto is not null then
          if (new.monto, new.deductivas, new.amortizacion, new.retencion, new.subtotal, new.iva, new.neto) is distinct from (old.monto, old.deductivas, old.amortizacion, old.retencion, old.subtotal, old.iva, old.neto) then
            raise exception 'the amounts of an authorized estimate are fixed' using errcode = 'check_violation', constraint = 'estimates_fixed';
          end if;
          return new;
        end if;
        if new.estado in ('autorizada', 'pagada') then
          if exceeds_contract(new.company_id, new.contract_id, contract.monto, new.monto) then
            raise exception 'more would be authorized than the contract is for' using errcode = 'check_violation', constraint = 'estimates_within_contract';
          end if;
          select a.* into new.amortizacion, new.retencion, new.subtotal, new.iva, new.neto
          from estimate_amounts(new.company_id, new.contract_id, new.monto, new.deductivas, new.anticipo_porcentaje, new.retencion_porcentaje, new.iva_porcentaje) a;
          if new.subtotal < 0 then
            raise exception 'an estimate would be authorized for less than nothing' using errcode = 'check_violation', constraint = 'estimates_subtotal';
          end if;
        else
          new.amortizacion := null; new.retencion := null; new.subtotal := null; new.iva := null; new.neto := null;
        end if;
        return new;
      end $$`)
    this.addSql(`
      create or replace function keep_authorized() returns trigger language plpgsql as $$
      begin
        perform lock_companies(array[new.company_id]);
        if exceeds_contract(new.company_id, new.id, new.monto, 0) then
          raise exception 'contract % has more authorized than that', new.id using errcode = 'check_violation', constraint = 'contracts_authorized';
        end if;
        return new;
      end $$`)
  }
}
