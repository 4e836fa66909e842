import { Migration } from '@mikro-orm/migrations'

const admitted = "(company_id = any ((select nullif(current_setting('app.companies', true), '')::int[])::int[])) is true"

/**
 * Limits the tree of contracts to 50 levels. Deeper trees stay, but nothing is added to them below level 50. `contract_levels` has the
 * levels of each contract with subcontracts, so that a check reads up to 50 rows and not the whole tree.
 */
export class Migration34ContractLevels extends Migration {
  override up (): void {
    this.table()
    this.ancestors()
    this.keeping()
    this.triggers()
    this.present()
  }

  private table (): void {
    // `levels` counts the contract itself. 51 stands for any larger number.
    this.addSql('create table "contract_levels" ("company_id" int not null, "contract_id" bigint not null, "parent_id" bigint null, "levels" smallint not null, primary key ("company_id", "contract_id"));')
    this.addSql('create index "contract_levels_parent_index" on "contract_levels" ("company_id", "parent_id", "levels");')
    this.addSql('alter table "contract_levels" add constraint "contract_levels_contract_foreign" foreign key ("company_id", "contract_id") references "contracts" ("company_id", "id") on delete cascade;')
    this.addSql('alter table "contract_levels" add constraint "contract_levels_parent_foreign" foreign key ("company_id", "parent_id") references "contracts" ("company_id", "id");')
    this.addSql('alter table "contract_levels" enable row level security;')
    this.addSql('alter table "contract_levels" force row level security;')
    this.addSql(`create policy "company_admitted" on "contract_levels" using (${admitted}) with check (${admitted});`)
    this.addSql('grant select, insert, update, delete on contract_levels to obra_app')
  }

  private ancestors (): void {
    // Each contract with its ancestors: itself at step 1, its parent at step 2, up to step 50. `offset 0` forces one lookup per step.
    this.addSql(`
      create function contract_ancestors(companies int[], contracts bigint[]) returns table (company int, id bigint, ancestor bigint, step int)
      language sql stable as $$
        with recursive way (company, id, ancestor, step) as (
          select distinct q.company, q.id, q.id, 1 from unnest(companies, contracts) q (company, id) where q.id is not null
          union all
          select way.company, way.id, c.parent_id, way.step + 1 from way cross join lateral (
            select parent_id from contracts where company_id = way.company and id = way.ancestor and parent_id is not null offset 0) c
          where way.step < 50)
        select * from way
      $$`)
  }

  private keeping (): void {
    // The contracts have a subcontract with one level less than "at_least".
    this.addSql(`
      create function raise_contract_levels(companies int[], raised bigint[], at_least int) returns void language plpgsql as $$
      begin
        while cardinality(raised) > 0 loop
          with changed as (
            insert into contract_levels as l (company_id, contract_id, parent_id, levels)
            select q.company, q.id, c.parent_id, least(at_least, 51)
            from (select distinct * from unnest(companies, raised)) q (company, id)
            cross join lateral (select parent_id from contracts where company_id = q.company and id = q.id offset 0) c
            on conflict (company_id, contract_id) do update set levels = excluded.levels where l.levels < excluded.levels
            returning company_id, parent_id)
          select array_agg(company_id), array_agg(parent_id) into companies, raised from changed where parent_id is not null;
          at_least := at_least + 1;
        end loop;
      end $$`)
    // The contract has lost a subcontract, or one of its subcontracts has lost levels.
    this.addSql(`
      create function lower_contract_levels(of_company int, lowered bigint) returns void language plpgsql as $$
      declare most int;
      begin
        while lowered is not null loop
          select max(levels) into most from contract_levels where company_id = of_company and parent_id = lowered;
          if most is null and not exists (select from contracts where company_id = of_company and parent_id = lowered) then
            delete from contract_levels where company_id = of_company and contract_id = lowered returning parent_id into lowered;
          else
            most := least(coalesce(most, 1) + 1, 51);
            update contract_levels set levels = most where company_id = of_company and contract_id = lowered and levels > most returning parent_id into lowered;
          end if;
        end loop;
      end $$`)
  }

  private triggers (): void {
    this.addSql(`
      create function refuse_contract_place(contract bigint, depth int, levels int, is_cycle boolean) returns void language plpgsql as $$
      begin
        if is_cycle then
          raise exception 'contract % would be under itself', contract using errcode = 'check_violation', constraint = 'contracts_parent_acyclic';
        elsif depth + levels > 50 then
          raise exception 'the tree of contract % would have more than 50 levels', contract using errcode = 'check_violation', constraint = 'contracts_parent_depth';
        end if;
      end $$`)
    // Locks before it reads, so that of two concurrent writes that would form a cycle or a tree that is too deep, the second sees the
    // first.
    this.addSql(`
      create function place_contracts() returns trigger language plpgsql set enable_seqscan = off set jit = off as $$
      declare
        companies int[];
        parents bigint[];
      begin
        select array_agg(company_id), array_agg(parent_id) into companies, parents
        from (select distinct company_id, parent_id from new_rows where parent_id is not null) p;
        if parents is null then
          return null;
        end if;
        perform lock_companies(companies);
        perform refuse_contract_place(a.id, max(a.step), 1, bool_or(a.step > 1 and a.ancestor = a.id))
        from contract_ancestors(companies, parents) a group by a.company, a.id;
        perform raise_contract_levels(companies, parents, 2);
        return null;
      end $$`)
    this.addSql(`
      create function move_contract() returns trigger language plpgsql set enable_seqscan = off set jit = off as $$
      declare own int;
      begin
        perform lock_companies(array[new.company_id]);
        own := coalesce((select levels from contract_levels where company_id = new.company_id and contract_id = new.id), 1);
        perform refuse_contract_place(new.id, max(a.step), own, bool_or(a.ancestor = new.id))
        from contract_ancestors(array[new.company_id], array[new.parent_id]) a;
        update contract_levels set parent_id = new.parent_id where company_id = new.company_id and contract_id = new.id;
        if new.parent_id is not null then
          perform raise_contract_levels(array[new.company_id], array[new.parent_id], own + 1);
        end if;
        perform lower_contract_levels(new.company_id, old.parent_id);
        return null;
      end $$`)
    this.addSql(`
      create function leave_contract() returns trigger language plpgsql set enable_seqscan = off set jit = off as $$
      begin
        perform lower_contract_levels(old.company_id, old.parent_id);
        return null;
      end $$`)
    this.addSql('drop trigger refuse_cycle_insert on contracts')
    this.addSql('drop trigger refuse_cycle_update on contracts')
    this.addSql('drop function refuse_contract_cycle()')
    this.addSql('create trigger place_contracts after insert on contracts referencing new table as new_rows for each statement execute function place_contracts()')
    this.addSql('create trigger move_contract after update of parent_id on contracts for each row when (new.parent_id is distinct from old.parent_id) execute function move_contract()')
    this.addSql('create trigger leave_contract after delete on contracts for each row when (old.parent_id is not null) execute function leave_contract()')
  }

  /** Levels of the present contracts, from the lowest ones up. The triggers have locked the table. */
  private present (): void {
    this.addSql("select set_config('app.companies', (select coalesce(array_agg(id), '{}')::text from companies), true)")
    this.addSql(`
      do $$ begin
        insert into contract_levels (company_id, contract_id, parent_id, levels)
        select p.company_id, p.id, p.parent_id, 2 from contracts p
        where exists (select from contracts c where c.company_id = p.company_id and c.parent_id = p.id);
        for n in 3 .. 51 loop
          update contract_levels p set levels = n
          where exists (select from contract_levels c where c.company_id = p.company_id and c.parent_id = p.contract_id and c.levels = n - 1);
          exit when not found;
        end loop;
      end $$`)
    this.addSql("select set_config('app.companies', '', true)")
    this.addSql('analyze contract_levels')
  }
}
