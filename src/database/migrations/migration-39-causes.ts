import { Migration } from '@mikro-orm/migrations'

// Plans do not depend on the size of tables, and a sort is not compiled. The role of the writer runs the functions, within its policies.
const plans = 'set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off set jit = off'

/** A record that a trigger changes has the caller of the record that caused the change (decision 49), also in a turn with several callers. */
export class Migration39Causes extends Migration {
  override up (): void {
    this.notes()
    this.sums()
    this.effects()
  }

  private replace (name: string, body: string): void {
    this.addSql(`create or replace function ${name}() returns trigger language plpgsql ${plans} as $$ ${body} $$`)
  }

  /** Several causes with different callers: that of the highest id. */
  private notes (): void {
    this.addSql(`
      create function note_causes(relation text, cause text, records bigint[], causes bigint[]) returns void language sql as $$
        select set_config('app.callers', (s.callers || (
          select coalesce(jsonb_object_agg(relation || '/' || c.record, c.caller), '{}')
          from (
            select distinct on (w.record) w.record, (s.callers ->> (cause || '/' || w.id))::int as caller
            from unnest(records, causes) w (record, id)
            where s.callers ->> (cause || '/' || w.id) is not null
            order by w.record, w.id desc) c))::text, true)
        from (select current_setting('app.callers', true)::jsonb as callers) s
      $$`)
  }

  private sums (): void {
    this.replace('keep_sum', `
      declare
        part text := 'select company_id, id, %I as parent, %s as n, %s%I as amount from %s where %s';
        added text := format(part, tg_argv[3], 1, '', tg_argv[4], 'new_rows', tg_argv[5]);
        removed text := format(part, tg_argv[3], -1, '-', tg_argv[4], 'old_rows', tg_argv[5]);
        changed text := case tg_op when 'INSERT' then added when 'DELETE' then removed else added || ' union all ' || removed end;
      begin
        if tg_op = 'DELETE' then
          perform lock_companies(array(select distinct company_id from old_rows));
        else
          perform lock_companies(array(select distinct company_id from new_rows));
        end if;
        if current_setting('app.callers', true) <> '' then
          execute format('select note_causes(%L, %L, array_agg(parent), array_agg(id)) from (%s) c', tg_argv[0], tg_table_name, changed);
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
  }

  private effects (): void {
    this.replace('apply_effect', `
      declare
        part text := 'select company_id, id, %I as other from %s';
        added text := format(part, tg_argv[1], 'new_rows');
        removed text := format(part, tg_argv[1], 'old_rows');
        written text := case tg_op when 'INSERT' then added when 'DELETE' then removed else added || ' union ' || removed end;
      begin
        if tg_op = 'DELETE' then
          perform lock_companies(array(select distinct company_id from old_rows));
        else
          perform lock_companies(array(select distinct company_id from new_rows));
        end if;
        if current_setting('app.callers', true) <> '' then
          execute format('select note_causes(%L, %L, array_agg(other), array_agg(id)) from (%s) c', tg_argv[0], tg_table_name, written);
        end if;
        execute format('
          update %1$I p set %2$s from (select distinct company_id, other from (%3$s) c) w
          where p.company_id = w.company_id and p.id = w.other and (%4$s)', tg_argv[0], tg_argv[2], written, tg_argv[3]);
        return null;
      end`)
  }
}
