import type { Test } from 'tap'
import type { Orm } from '../../../../src/database/connection/orm.ts'
import type { Row } from '../../../../src/database/connection/sql.ts'
import { openEmptyDatabase } from '../../../support/empty-database.ts'

/**
 * The schema of a database as text: tables, policies, rights, triggers, constraints, indexes and functions.
 * @param owner role to print as OWNER, so that databases of different owners can be compared
 */
export async function catalogOf (query: (sql: string) => Promise<Row[]>, owner?: string): Promise<Record<string, string>> {
  const seen = async (sql: string) => {
    const text = JSON.stringify(await query(sql))
    return owner === undefined ? text : text.replaceAll(owner, 'OWNER')
  }
  return {
    policies: await seen('select tablename, policyname, roles::text, cmd, qual, with_check from pg_policies order by 1, 2'),
    tables: await seen("select c.oid::regclass::text as name, relrowsecurity, relforcerowsecurity, relowner::regrole::text, array(select g::text from unnest(relacl) g order by 1) as rights from pg_class c where relnamespace in ('public'::regnamespace, 'search'::regnamespace) and relkind in ('r', 'S') order by 1"),
    columns: await seen("select a.attrelid::regclass::text as of, attname, format_type(atttypid, atttypmod), attnotnull, attgenerated, attcollation::regcollation::text, pg_get_expr(d.adbin, d.adrelid) as default, array(select g::text from unnest(attacl) g order by 1) as rights from pg_attribute a join pg_class c on c.oid = a.attrelid left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum where relnamespace in ('public'::regnamespace, 'search'::regnamespace) and relkind = 'r' and attnum > 0 and not attisdropped order by 1, attnum"),
    schemas: await seen("select nspname, nspowner::regrole::text, array(select g::text from unnest(nspacl) g order by 1) as rights from pg_namespace where nspname in ('public', 'search') order by 1"),
    triggers: await seen('select tgrelid::regclass::text as of, tgname, tgenabled, pg_get_triggerdef(oid) from pg_trigger where not tgisinternal order by 1, 2'),
    constraints: await seen("select conrelid::regclass::text as of, conname, convalidated, pg_get_constraintdef(oid) from pg_constraint where connamespace = 'public'::regnamespace order by 1, 2"),
    indexes: await seen("select indexname, indexdef from pg_indexes where schemaname = 'public' order by 1"),
    functions: await seen("select oid::regprocedure::text as name, proowner::regrole::text, prosecdef, prosrc, pg_get_function_sqlbody(oid) as body, proconfig, array(select g::text from unnest(proacl) g order by 1) as rights from pg_proc where pronamespace in ('public'::regnamespace, 'search'::regnamespace) order by 1"),
    resources: await seen('select * from search_resources order by name'),
    migrations: await seen('select name from mikro_orm_migrations order by id')
  }
}

/** Removes casts and brackets. PostgreSQL prints a check against a list of words differently after recreating it from its own text. */
export function uncast (value: unknown): unknown {
  return typeof value === 'string' ? value.replaceAll(/::(?:text|character varying)(?:\[\])?|[()]/g, '') : value
}

/** Compares the catalog of a restored database with that of a migrated one. @param orm connected as `owner` */
export async function hasWallsOfMigrations (t: Test, orm: Orm, owner: string): Promise<void> {
  const migrated = await openEmptyDatabase(t, `${owner}_2`)
  await migrated.orm.migrator.up()
  t.strictSame(await ownCatalogOf(t, orm, owner), await ownCatalogOf(t, migrated.orm, `${owner}_2`), 'the walls are those of a migrated database')
}

async function ownCatalogOf (t: Test, orm: Orm, owner: string): Promise<Record<string, string>> {
  t.same(await orm.em.execute('select current_user as me'), [{ me: owner }])
  return await catalogOf(async sql => await orm.em.execute(sql), owner)
}
