import { Migration } from '@mikro-orm/migrations'

const admitted = "company_id = any ((select nullif(current_setting('app.companies', true), '')::int[])::int[])"
const live = "estado not in ('rechazada', 'cancelada')"

// A function keeps the plan of its first call, for which the table can be small. A bulk then read all its own rows for each row. Without
// `jit = off`, a sort that cannot be avoided is expensive enough to be compiled for each row.
const byIndex = 'set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off set jit = off'

/** Estimates per block at each level. */
const levels = '(values (1, 32), (2, 1024), (3, 32768)) l (level, size)'

/** Rows of `estimate_sums` that rows of estimates add up to. */
const blocks = (from: string, having = '') => `
  select e.company_id, e.contract_id, l.level, (e.numero - 1) / l.size, sum(e.monto)
  from ${from} e cross join ${levels} group by 1, 2, 3, 4 ${having}`

/** Rows of `contract_sums` that rows of estimates add up to. */
const totals = (from: string) => `
  select e.company_id, e.contract_id, count(*) filter (where e.${live}), coalesce(sum(e.monto) filter (where e.${live}), 0.00),
    coalesce(sum(e.monto) filter (where e.neto is not null), 0.00), coalesce(sum(e.amortizacion), 0.00)
  from ${from} e group by 1, 2`

/** Changes of live estimates in one update. */
const changed = `(
    select company_id, contract_id, numero, 1 as live, monto from new_rows where ${live}
    union all select company_id, contract_id, numero, -1, -monto from old_rows where ${live})`

/** Rows of `subcontract_sums` that rows of contracts add up to. */
const children = (from: string) => `
  select c.company_id, c.parent_id, c.moneda, count(*), sum(c.monto) from ${from} c where c.parent_id is not null group by 1, 2, 3`

/**
 * Sums that triggers keep, so that a read and a write of one record do not visit all other records of its contract. Amounts of an estimate
 * follow the present advance of its contract.
 */
export class Migration29Sums extends Migration {
  override up (): void {
    this.tables()
    this.estimates()
    this.subcontracts()
    this.present()
    this.amounts()
    this.keeping()
  }

  private tables (): void {
    this.addSql('create table "estimate_sums" ("company_id" int not null, "contract_id" bigint not null, "level" smallint not null, "block" int not null, "monto" numeric(38, 2) not null, primary key ("company_id", "contract_id", "level", "block"))')
    this.addSql('create table "contract_sums" ("company_id" int not null, "contract_id" bigint not null, "vivas" int not null, "monto" numeric(38, 2) not null, "autorizado" numeric(38, 2) not null, "amortizacion" numeric(38, 2) not null, primary key ("company_id", "contract_id"))')
    this.addSql('create table "subcontract_sums" ("company_id" int not null, "parent_id" bigint not null, "moneda" varchar(3) not null, "hijos" int not null, "monto" numeric(38, 2) not null, primary key ("company_id", "parent_id", "moneda"))')
    for (const [table, of] of [['estimate_sums', 'contract'], ['contract_sums', 'contract'], ['subcontract_sums', 'parent']]) {
      this.addSql(`alter table "${table}" add constraint "${table}_${of}_foreign" foreign key ("company_id", "${of}_id") references "contracts" ("company_id", "id") on delete cascade`)
      this.addSql(`alter table "${table}" enable row level security, force row level security`)
      this.addSql(`create policy "company_admitted" on "${table}" using (${admitted}) with check (${admitted})`)
      this.addSql(`grant select on ${table} to obra_app`)
    }
  }

  private estimates (): void {
    this.trigger('keep_estimate_sums', `
      if tg_op = 'INSERT' then
        insert into estimate_sums as s (company_id, contract_id, level, block, monto) ${blocks(`(select * from new_rows where ${live} and monto <> 0)`)}
        on conflict (company_id, contract_id, level, block) do update set monto = s.monto + excluded.monto;
        insert into contract_sums as s (company_id, contract_id, vivas, monto, autorizado, amortizacion) ${totals('new_rows')}
        on conflict (company_id, contract_id) do update set vivas = s.vivas + excluded.vivas, monto = s.monto + excluded.monto,
          autorizado = s.autorizado + excluded.autorizado, amortizacion = s.amortizacion + excluded.amortizacion;
      elsif tg_op = 'UPDATE' then
        insert into estimate_sums as s (company_id, contract_id, level, block, monto) ${blocks(changed, 'having sum(e.monto) <> 0')}
        on conflict (company_id, contract_id, level, block) do update set monto = s.monto + excluded.monto;
        -- keep_estimate_authorized has added what was authorized.
        insert into contract_sums as s (company_id, contract_id, vivas, monto, autorizado, amortizacion)
        select company_id, contract_id, sum(live), sum(monto), 0.00, 0.00 from ${changed} e group by 1, 2 having sum(live) <> 0 or sum(monto) <> 0
        on conflict (company_id, contract_id) do update set vivas = s.vivas + excluded.vivas, monto = s.monto + excluded.monto;
      else
        update estimate_sums s set monto = s.monto - d.monto
        from (${blocks(`(select * from old_rows where ${live} and monto <> 0)`)}) d (company_id, contract_id, level, block, monto)
        where (s.company_id, s.contract_id, s.level, s.block) = (d.company_id, d.contract_id, d.level, d.block);
        update contract_sums s set vivas = s.vivas - d.vivas, monto = s.monto - d.monto, autorizado = s.autorizado - d.autorizado, amortizacion = s.amortizacion - d.amortizacion
        from (${totals('old_rows')}) d (company_id, contract_id, vivas, monto, autorizado, amortizacion)
        where (s.company_id, s.contract_id) = (d.company_id, d.contract_id);
      end if;
      return null;`)
    this.afterStatements('estimates', 'keep_estimate_sums')
    // Before the row is written, so that the next row of the same statement sees the sum. An authorized estimate stays authorized.
    this.trigger('keep_estimate_authorized', `
      insert into contract_sums as s (company_id, contract_id, vivas, monto, autorizado, amortizacion)
      values (new.company_id, new.contract_id, 0, 0.00, new.monto, new.amortizacion)
      on conflict (company_id, contract_id) do update set autorizado = s.autorizado + excluded.autorizado, amortizacion = s.amortizacion + excluded.amortizacion;
      return new;`)
    this.addSql('create trigger keep_estimate_authorized before update on estimates for each row when (old.neto is null and new.neto is not null) execute function keep_estimate_authorized()')
  }

  private subcontracts (): void {
    this.trigger('keep_subcontract_sums', `
      if tg_op = 'INSERT' then
        insert into subcontract_sums as s (company_id, parent_id, moneda, hijos, monto) ${children('new_rows')}
        on conflict (company_id, parent_id, moneda) do update set hijos = s.hijos + excluded.hijos, monto = s.monto + excluded.monto;
      elsif tg_op = 'UPDATE' then
        insert into subcontract_sums as s (company_id, parent_id, moneda, hijos, monto)
        select company_id, parent_id, moneda, sum(n), sum(monto) from (
          select company_id, parent_id, moneda, 1 as n, monto from new_rows where parent_id is not null
          union all select company_id, parent_id, moneda, -1, -monto from old_rows where parent_id is not null) c
        group by 1, 2, 3 having sum(n) <> 0 or sum(monto) <> 0
        on conflict (company_id, parent_id, moneda) do update set hijos = s.hijos + excluded.hijos, monto = s.monto + excluded.monto;
      else
        update subcontract_sums s set hijos = s.hijos - d.hijos, monto = s.monto - d.monto
        from (${children('old_rows')}) d (company_id, parent_id, moneda, hijos, monto)
        where (s.company_id, s.parent_id, s.moneda) = (d.company_id, d.parent_id, d.moneda);
      end if;
      return null;`)
    this.afterStatements('contracts', 'keep_subcontract_sums')
  }

  /** The function of triggers on rows that the writer may not change itself. */
  private trigger (name: string, body: string): void {
    this.addSql(`
      create function ${name}() returns trigger
      language plpgsql security definer set search_path = pg_catalog, public, pg_temp ${byIndex} as $$
      begin ${body}
      end $$`)
    this.addSql(`revoke execute on function ${name}() from public`)
  }

  private afterStatements (table: string, name: string): void {
    this.addSql(`create trigger ${name}_insert after insert on ${table} referencing new table as new_rows for each statement execute function ${name}()`)
    this.addSql(`create trigger ${name}_update after update on ${table} referencing old table as old_rows new table as new_rows for each statement execute function ${name}()`)
    this.addSql(`create trigger ${name}_delete after delete on ${table} referencing old table as old_rows for each statement execute function ${name}()`)
  }

  /** Sums of the present records. The triggers have locked the tables. */
  private present (): void {
    this.addSql("select set_config('app.companies', (select coalesce(array_agg(id), '{}')::text from companies), true)")
    this.addSql(`insert into estimate_sums ${blocks(`(select * from estimates where ${live} and monto <> 0)`)}`)
    this.addSql(`insert into contract_sums ${totals('estimates')}`)
    this.addSql(`insert into subcontract_sums ${children('contracts')}`)
    this.addSql("select set_config('app.companies', '', true)")
    this.addSql('analyze estimate_sums, contract_sums, subcontract_sums')
  }

  private amounts (): void {
    // The only definition of an estimate's amounts. A product with 0.01 is exact, a quotient would be rounded twice.
    this.addSql(`
      create function derived_amounts(anticipo numeric, monto numeric, deductivas numeric, anticipo_porcentaje numeric, retencion_porcentaje numeric, iva_porcentaje numeric)
      returns table (amortizacion numeric, retencion numeric, subtotal numeric, iva numeric, neto numeric)
      language sql immutable rows 1
      begin atomic
        select a.amortizacion, r.retencion, s.subtotal, i.iva, s.subtotal + i.iva
        from (select least(anticipo, round(monto * anticipo_porcentaje * 0.01, 2)) as amortizacion) a
        cross join lateral (select round((monto - a.amortizacion) * retencion_porcentaje * 0.01, 2) as retencion) r
        cross join lateral (select monto - a.amortizacion - r.retencion - deductivas as subtotal) s
        cross join lateral (select round(s.subtotal * iva_porcentaje * 0.01, 2) as iva) i;
      end`)
    this.addSql(`
      create function advance_left(monto numeric, anticipo_porcentaje numeric, amortizacion numeric) returns numeric
      language sql immutable return greatest(0.00, round(monto * anticipo_porcentaje * 0.01, 2) - coalesce(amortizacion, 0.00))`)
    this.addSql(`
      create or replace function estimate_amounts(of_company int, of_contract bigint, monto numeric, deductivas numeric, anticipo_porcentaje numeric, retencion_porcentaje numeric, iva_porcentaje numeric)
      returns table (amortizacion numeric, retencion numeric, subtotal numeric, iva numeric, neto numeric)
      language sql stable rows 1
      begin atomic
        select d.*
        from (
          -- \`limit\`: the result is not computed again for each reference to it.
          select advance_left(c.monto, c.anticipo_porcentaje, (select s.amortizacion from contract_sums s where s.company_id = of_company and s.contract_id = of_contract)) as anticipo
          from contracts c where c.company_id = of_company and c.id between of_contract and of_contract order by c.id limit 1) remaining
        cross join lateral derived_amounts(remaining.anticipo, monto, deductivas, anticipo_porcentaje, retencion_porcentaje, iva_porcentaje) d;
      end`)
    this.addSql(`
      create or replace function authorized_amount(of_company int, of_contract bigint) returns numeric
      language plpgsql stable ${byIndex} as $$
      begin
        return coalesce((select s.autorizado from contract_sums s where s.company_id = of_company and s.contract_id = of_contract), 0.00);
      end $$`)
  }

  private keeping (): void {
    this.addSql(`
      create or replace function keep_estimate_numbers() returns trigger language plpgsql ${byIndex} as $$
      begin
        perform lock_companies(array[old.company_id]);
        if old.neto is not null or old.numero < (select e.numero from estimates e where e.company_id = old.company_id and e.contract_id = old.contract_id order by e.numero desc limit 1) then
          raise exception 'only the last estimate of a contract can go, and none that was authorized' using errcode = 'check_violation', constraint = 'estimates_numbers';
        end if;
        return null;
      end $$`)
    this.addSql(`
      create or replace function keep_estimate() returns trigger language plpgsql ${byIndex} as $$
      declare contract record; sums record;
      begin
        perform lock_companies(array[new.company_id]);
        select c.monto, c.anticipo_porcentaje, c.retencion_porcentaje, c.iva_porcentaje into contract
        from contracts c where c.company_id = new.company_id and c.id between new.contract_id and new.contract_id order by c.id limit 1;
        if tg_op = 'INSERT' then
          new.numero := 1 + coalesce((select e.numero from estimates e where e.company_id = new.company_id and e.contract_id = new.contract_id order by e.numero desc limit 1), 0);
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
          select s.autorizado, s.amortizacion into sums from contract_sums s where s.company_id = new.company_id and s.contract_id = new.contract_id;
          if tg_op = 'INSERT' then
            -- The sums do not contain earlier rows of this statement. The API inserts only drafts.
            select sum(e.monto), sum(e.amortizacion) into sums.autorizado, sums.amortizacion
            from estimates e where e.company_id = new.company_id and e.contract_id = new.contract_id and e.neto is not null;
          end if;
          if coalesce(sums.autorizado, 0.00) + new.monto > contract.monto then
            raise exception 'more would be authorized than the contract is for' using errcode = 'check_violation', constraint = 'estimates_within_contract';
          end if;
          select d.* into new.amortizacion, new.retencion, new.subtotal, new.iva, new.neto
          from derived_amounts(advance_left(contract.monto, contract.anticipo_porcentaje, sums.amortizacion),
            new.monto, new.deductivas, new.anticipo_porcentaje, new.retencion_porcentaje, new.iva_porcentaje) d;
          if new.subtotal < 0 then
            raise exception 'an estimate would be authorized for less than nothing' using errcode = 'check_violation', constraint = 'estimates_subtotal';
          end if;
        else
          new.amortizacion := null; new.retencion := null; new.subtotal := null; new.iva := null; new.neto := null;
        end if;
        return new;
      end $$`)
  }
}
