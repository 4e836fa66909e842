import { Migration } from '@mikro-orm/migrations'

const admitted = "company_id = any (nullif(current_setting('app.companies', true), '')::int[])"

/** Estimates: the table, the calculation of the amounts, and triggers that protect both against any writer. */
export class Migration5Estimates extends Migration {
  override up (): void {
    this.table()
    this.amounts()
    this.keeping()
  }

  private table (): void {
    this.addSql(`
      create table estimates (
        id serial primary key,
        company_id int not null references companies (id),
        external_id varchar(128) null,
        created_at timestamptz(6) not null default clock_timestamp(),
        updated_at timestamptz(6) not null default clock_timestamp(),
        version int not null default 1,
        contract_id int not null,
        numero int not null,
        periodo_inicio date null,
        periodo_fin date null,
        descripcion varchar(2000) not null default '',
        monto numeric(18, 2) not null default 0.00,
        deductivas numeric(18, 2) not null default 0.00,
        estado varchar(16) not null default 'borrador',
        motivo_rechazo varchar(2000) not null default '',
        factura_uuid uuid null,
        anticipo_porcentaje numeric(5, 2) not null,
        retencion_porcentaje numeric(5, 2) not null,
        iva_porcentaje numeric(5, 2) not null,
        amortizacion numeric(18, 2) null,
        retencion numeric(18, 2) null,
        subtotal numeric(18, 2) null,
        iva numeric(18, 2) null,
        neto numeric(18, 2) null,
        busqueda text generated always as (search_text(descripcion || ' ' || motivo_rechazo)) stored not null,
        constraint estimates_company_id_unique unique (company_id, id),
        constraint estimates_numero_unique unique (company_id, contract_id, numero),
        constraint estimates_contract_foreign foreign key (company_id, contract_id) references contracts (company_id, id),
        constraint estimates_monto_check check (monto >= 0),
        constraint estimates_deductivas_check check (deductivas >= 0),
        constraint estimates_estado_check check (estado in ('borrador', 'enviada', 'autorizada', 'pagada', 'rechazada', 'cancelada')),
        constraint estimates_periodo_check check ((periodo_inicio is null) = (periodo_fin is null) and periodo_inicio <= periodo_fin),
        constraint estimates_settled_check check ((estado in ('autorizada', 'pagada')) = (neto is not null)))`)
    // A range of one id lets GiST compare contracts for equality without an extension.
    this.addSql(`
      alter table estimates add constraint estimates_periodo_exclusion
      exclude using gist (int4range(contract_id, contract_id, '[]') with &&, daterange(periodo_inicio, periodo_fin, '[]') with &&)
      where (periodo_inicio is not null and estado not in ('rechazada', 'cancelada'))`)
    this.addSql('create unique index estimates_external_id_unique on estimates (company_id, external_id) where external_id is not null')
    this.addSql('create index estimates_updated_at_index on estimates (company_id, updated_at, id)')
    // Each new estimate sums the authorized ones and checks the live periods. The indexes avoid a scan of all others.
    this.addSql('create index estimates_authorized_index on estimates (company_id, contract_id) include (monto, amortizacion) where neto is not null')
    this.addSql("create index estimates_periodo_index on estimates (company_id, contract_id, periodo_inicio) include (periodo_fin) where estado not in ('rechazada', 'cancelada') and periodo_inicio is not null")
    this.addSql('alter table estimates enable row level security, force row level security')
    this.addSql(`create policy company_admitted on estimates using (${admitted}) with check (${admitted})`)
    this.addSql('alter table company_revisions add column estimates int not null default 0')
    this.addSql("call keep_revisions_of('estimates')")
  }

  private amounts (): void {
    // The only definition of an estimate's amounts. Percentages are multiplied by 0.01 instead of divided by 100, because a product of decimals
    // is exact, but a quotient would be rounded twice. `offset 0` keeps the planner from repeating the sum of the remaining advance for each
    // reference to it.
    this.addSql(`
      create function estimate_amounts(of_company int, of_contract int, monto numeric, deductivas numeric, anticipo_porcentaje numeric, retencion_porcentaje numeric, iva_porcentaje numeric)
      returns table (amortizacion numeric, retencion numeric, subtotal numeric, iva numeric, neto numeric)
      language sql stable rows 1
      begin atomic
        select a.amortizacion, r.retencion, s.subtotal, i.iva, s.subtotal + i.iva
        from (
          select greatest(0.00, round(c.monto * estimate_amounts.anticipo_porcentaje * 0.01, 2) - (
            select coalesce(sum(e.amortizacion), 0.00) from estimates e where e.company_id = of_company and e.contract_id = of_contract and e.neto is not null)) as anticipo
          from contracts c where c.company_id = of_company and c.id = of_contract offset 0) remaining
        cross join lateral (select least(remaining.anticipo, round(monto * anticipo_porcentaje * 0.01, 2)) as amortizacion) a
        cross join lateral (select round((monto - a.amortizacion) * retencion_porcentaje * 0.01, 2) as retencion) r
        cross join lateral (select monto - a.amortizacion - r.retencion - deductivas as subtotal) s
        cross join lateral (select round(s.subtotal * iva_porcentaje * 0.01, 2) as iva) i;
      end`)
    this.addSql(`
      create function authorized_amount(of_company int, of_contract int) returns numeric
      language sql stable return (
        select coalesce(sum(e.monto), 0.00) from estimates e
        where e.company_id = of_company and e.contract_id = of_contract and e.neto is not null)`)
  }

  private keeping (): void {
    // Sets the number, copies the percentages, and fixes the amounts at authorization. Locks before it reads. A row sees earlier rows of the same
    // statement.
    this.addSql(`
      create function keep_estimate() returns trigger language plpgsql as $$
      declare contract record;
      begin
        perform lock_companies(array[new.company_id]);
        select c.monto, c.anticipo_porcentaje, c.retencion_porcentaje, c.iva_porcentaje into contract
        from contracts c where c.company_id = new.company_id and c.id = new.contract_id;
        if tg_op = 'INSERT' then
          new.numero := 1 + coalesce((select max(e.numero) from estimates e where e.company_id = new.company_id and e.contract_id = new.contract_id), 0);
          -- 0 for a contract that is not there: then it is the key that refuses the row, and says so.
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
          if authorized_amount(new.company_id, new.contract_id) + new.monto > contract.monto then
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
    this.addSql('create trigger keep_estimate before insert or update on estimates for each row execute function keep_estimate()')

    // Runs after the statement, so that one statement can delete the last several estimates.
    this.addSql(`
      create function keep_estimate_numbers() returns trigger language plpgsql as $$
      begin
        perform lock_companies(array[old.company_id]);
        if old.neto is not null or exists (select from estimates e where e.company_id = old.company_id and e.contract_id = old.contract_id and e.numero > old.numero) then
          raise exception 'only the last estimate of a contract can go, and none that was authorized' using errcode = 'check_violation', constraint = 'estimates_numbers';
        end if;
        return null;
      end $$`)
    this.addSql('create trigger keep_estimate_numbers after delete on estimates for each row execute function keep_estimate_numbers()')

    this.addSql(`
      create function keep_authorized() returns trigger language plpgsql as $$
      begin
        perform lock_companies(array[new.company_id]);
        if new.monto < authorized_amount(new.company_id, new.id) then
          raise exception 'contract % has more authorized than that', new.id using errcode = 'check_violation', constraint = 'contracts_authorized';
        end if;
        return new;
      end $$`)
    this.addSql('create trigger keep_authorized before update of monto on contracts for each row when (new.monto < old.monto) execute function keep_authorized()')
  }
}
