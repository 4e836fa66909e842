import { Migration } from '@mikro-orm/migrations'

// Plans do not depend on the size of tables, and a sort is not compiled. The role of the writer runs the functions, within its policies.
const plans = 'set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off set jit = off'

/** Functions for the triggers between records and their parents. The arguments of a trigger are words of a declaration. */
export class Migration37SumsAndEffects extends Migration {
  override up (): void {
    this.writable()
    this.sums()
    this.effects()
  }

  private trigger (name: string, body: string): void {
    this.addSql(`create function ${name}() returns trigger language plpgsql ${plans} as $$ ${body} $$`)
  }

  /**
   * Arguments: the column of the parent, the parent's table, its column of the state, the states that allow writes, and the columns that
   * stay writable. Changes by triggers, such as a sum, are allowed.
   */
  private writable (): void {
    this.trigger('keep_writable', `
      declare
        written text := case tg_op
          when 'INSERT' then 'select n.* from new_rows n'
          when 'DELETE' then 'select o.* from old_rows o'
          else format('
            select n.* from new_rows n join old_rows o using (id) where to_jsonb(n) - $1 <> to_jsonb(o) - $1
            union all select o.* from old_rows o join new_rows n using (id) where n.%1$I <> o.%1$I', tg_argv[0]) end;
        closed bigint;
      begin
        if tg_op = 'UPDATE' and pg_trigger_depth() > 1 then
          return null;
        end if;
        if tg_op = 'DELETE' then
          perform lock_companies(array(select distinct company_id from old_rows));
        else
          perform lock_companies(array(select distinct company_id from new_rows));
        end if;
        execute format('
          select p.id from (select distinct w.company_id, w.%1$I as parent from (%2$s) w) r
          join %3$I p on p.company_id = r.company_id and p.id = r.parent
          where p.%4$I::text <> all ($2) limit 1', tg_argv[0], written, tg_argv[1], tg_argv[2])
        into closed using string_to_array(tg_argv[4], ',') || array['version', 'updated_at'], string_to_array(tg_argv[3], ',');
        if closed is not null then
          raise exception '% % has a state that allows no changes of its %', tg_argv[1], closed, tg_table_name
            using errcode = 'check_violation', table = tg_table_name, constraint = tg_table_name || '_writable';
        end if;
        return null;
      end`)
  }

  /**
   * Arguments: the parent's table, the sum, the number of its rows, the column of the parent, the amount, and the condition of the rows
   * that count.
   */
  private sums (): void {
    this.trigger('keep_sum', `
      declare
        part text := 'select company_id, %I as parent, %s as n, %s%I as amount from %s where %s';
        added text := format(part, tg_argv[3], 1, '', tg_argv[4], 'new_rows', tg_argv[5]);
        removed text := format(part, tg_argv[3], -1, '-', tg_argv[4], 'old_rows', tg_argv[5]);
        changed text := case tg_op when 'INSERT' then added when 'DELETE' then removed else added || ' union all ' || removed end;
      begin
        if tg_op = 'DELETE' then
          perform lock_companies(array(select distinct company_id from old_rows));
        else
          perform lock_companies(array(select distinct company_id from new_rows));
        end if;
        execute format('
          update %1$I p set %2$I = case p.%3$I when 0 then 0 else p.%2$I end + d.amount, %3$I = p.%3$I + d.n
          from (
            select company_id, parent, sum(n) as n, sum(amount) as amount from (%4$s) c
            group by company_id, parent having sum(n) <> 0 or sum(amount) <> 0) d
          where p.company_id = d.company_id and p.id = d.parent', tg_argv[0], tg_argv[1], tg_argv[2], changed);
        return null;
      exception when numeric_value_out_of_range then
        raise exception 'the sum % of % would be too large', tg_argv[1], tg_argv[0]
          using errcode = 'check_violation', table = tg_table_name, constraint = tg_table_name || '_' || tg_argv[4] || '_sum';
      end`)
    this.addSql(`
      create function refuse_derived() returns trigger language plpgsql as $$
      begin
        raise exception '%.% is a sum', tg_table_name, tg_argv[0]
          using errcode = 'check_violation', table = tg_table_name, constraint = tg_table_name || '_' || tg_argv[0] || '_derived';
      end $$`)
  }

  /** Arguments: the other record's table, the column that refers to it, the assignments, and the condition over that record, \`p\`. */
  private effects (): void {
    this.trigger('apply_effect', `
      declare
        part text := 'select company_id, %I as other from %s';
        added text := format(part, tg_argv[1], 'new_rows');
        removed text := format(part, tg_argv[1], 'old_rows');
        written text := case tg_op when 'INSERT' then added when 'DELETE' then removed else added || ' union ' || removed end;
      begin
        if tg_op = 'DELETE' then
          perform lock_companies(array(select distinct company_id from old_rows));
        else
          perform lock_companies(array(select distinct company_id from new_rows));
        end if;
        execute format('
          update %1$I p set %2$s from (select distinct company_id, other from (%3$s) c) w
          where p.company_id = w.company_id and p.id = w.other and (%4$s)', tg_argv[0], tg_argv[2], written, tg_argv[3]);
        return null;
      end`)
  }
}
