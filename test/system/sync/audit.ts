import type { Psql } from '../kernel/psql.ts'
import { identities, type Tried } from './ledger.ts'

/** A change of a record, as the database has made it. */
export interface Write {
  seq: number
  resource: Tried
  op: 'INSERT' | 'UPDATE' | 'DELETE'
  company: number
  identity: string
  before: Record<string, string | null> | null
  after: Record<string, string | null> | null
}

const resources = Object.keys(identities) as Tried[]

/** Logs every change of a record in a table of its own, which a restore returns to the state of the backup like all others. */
export async function installAudit (psql: Psql): Promise<void> {
  const statements = [
    'create table audit (seq bigserial primary key, resource text, op text, company int, before json, after json)',
    `create function audit_record() returns trigger language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
    begin
      insert into audit (resource, op, company, before, after) values (tg_table_name, tg_op, case when tg_op = 'DELETE' then old.company_id else new.company_id end,
        case when tg_op <> 'INSERT' then (select json_object_agg(key, value) from json_each_text(row_to_json(old))) end,
        case when tg_op <> 'DELETE' then (select json_object_agg(key, value) from json_each_text(row_to_json(new))) end);
      return null;
    end $$`,
    ...resources.map(resource => `create trigger audit_record after insert or update or delete on ${resource} for each row execute function audit_record()`)
  ]
  for (const statement of statements) await psql(statement)
}

/** The changes in the database's present timeline, in order. */
export async function readAudit (psql: Psql): Promise<Write[]> {
  const rows = await psql('select seq, resource, op, company, before::text, after::text from audit order by seq')
  return rows.map(({ seq, resource, op, company, before, after }) => {
    const [was, is] = [before, after].map(text => typeof text === 'string' ? JSON.parse(text) : text)
    const record = is ?? was
    return { seq, resource, op, company, before: was, after: is, identity: record[identities[resource as Tried]] ?? `${resource} ${record.id}` }
  })
}

/** Shifts the database's clock by a number of seconds for all triggers, which set stamps and the times of changes. */
export async function shiftClock (psql: Psql, seconds: number): Promise<void> {
  const functions = await psql(`
    select pg_get_functiondef(p.oid) as text from pg_proc p join pg_language l on l.oid = p.prolang
    where p.pronamespace = 'public'::regnamespace and l.lanname = 'plpgsql' and p.prosrc ~ 'clock_timestamp' and p.prosrc !~ 'purged_for'`)
  for (const { text } of functions) {
    await psql((text as string).replaceAll(/\(clock_timestamp\(\) \+ interval '[^']*'\)|clock_timestamp\(\)/g, `(clock_timestamp() + interval '${seconds} s')`))
  }
}
