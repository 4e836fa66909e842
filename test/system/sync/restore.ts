import { resources } from '../../../src/domain/resources.ts'
import type { TestDatabase } from '../../support/helper.ts'

const tables = [...resources.map(({ name }) => name), 'changes', 'purged_revisions', 'company_revisions', 'devices', 'mutations', 'device_refs']

/** Runs a statement for each table: `%1$I` is the table, `%2$I` its copy, `%3$s` its columns. No trigger or foreign key interferes. */
async function forEachTable (psql: TestDatabase['psql'], ...statements: string[]): Promise<void> {
  await psql(`
    do $$ declare name text; columns text; begin
      perform set_config('session_replication_role', 'replica', true);
      foreach name in array array['${tables.join("', '")}'] loop
        select string_agg(quote_ident(attname), ', ') into columns from pg_attribute where attrelid = name::regclass and attnum > 0 and attgenerated = '' and not attisdropped;
        ${statements.map(statement => `execute format('${statement}', name, 'saved_' || name, columns);`).join('\n        ')}
      end loop;
    end $$`)
}

/** Keeps a copy of all business data, as a backup does. */
export async function save (psql: TestDatabase['psql']): Promise<void> {
  await forEachTable(psql, 'drop table if exists %2$I', 'create table %2$I as select * from %1$I')
}

/** Returns the business data to the last copy, as a restored backup or a standby that lacks the last commits does. */
export async function restore (psql: TestDatabase['psql']): Promise<void> {
  await forEachTable(psql, 'delete from %1$I', 'insert into %1$I (%3$s) select %3$s from %2$I')
}
