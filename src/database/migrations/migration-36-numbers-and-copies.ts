import { Migration } from '@mikro-orm/migrations'

// Plans do not depend on the size of tables, and a sort is not compiled. The role of the writer runs the functions, within its policies.
const plans = 'set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off set jit = off'

/**
 * Functions for the triggers of declarations (src/database/schema/child-triggers.ts). The arguments of a trigger are words of its
 * declaration.
 */
export class Migration36NumbersAndCopies extends Migration {
  override up (): void {
    this.numbers()
    this.copies()
  }

  private trigger (name: string, body: string): void {
    this.addSql(`create function ${name}() returns trigger language plpgsql ${plans} as $$ ${body} $$`)
  }

  /** Arguments: the field, and the column of the parent. */
  private numbers (): void {
    this.trigger('number_within', `
      declare number int;
      begin
        perform lock_companies(array[new.company_id]);
        execute format('
          select 1 + coalesce((
            select t.%1$I from %2$I t where t.company_id = ($1).company_id and t.%3$I between ($1).%3$I and ($1).%3$I
            order by t.%3$I desc, t.%1$I desc limit 1), 0)', tg_argv[0], tg_table_name, tg_argv[1])
        into number using new;
        return jsonb_populate_record(new, jsonb_build_object(tg_argv[0], number));
      end`)
  }

  /**
   * For writers other than the service, whose statements copy the value. Arguments: the column, that of the parent, the parent's table, and
   * the column there.
   */
  private copies (): void {
    this.trigger('copy_from_parent', `
      declare value jsonb;
      begin
        perform lock_companies(array[new.company_id]);
        execute format('select to_jsonb(p.%I) from %I p where p.company_id = ($1).company_id and p.id = ($1).%I', tg_argv[3], tg_argv[2], tg_argv[1])
        into value using new;
        return jsonb_populate_record(new, jsonb_build_object(tg_argv[0], value));
      end`)
  }
}
