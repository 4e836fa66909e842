import t from 'tap'
import { migrate } from '../../../../src/server/migrate.ts'
import { unchanged } from '../../../../src/database/schema/load.ts'
import { migrations } from '../../../../src/database/migrations/index.ts'
import { openEmptyDatabase } from '../../../support/empty-database.ts'
import { openTestDatabase } from '../../../support/helper.ts'

const names = migrations.map(({ name }) => name)

// Everything that migrations create, as text.
const schema = `
  select 'column ' || table_name || '.' || column_name || ' ' || data_type || ' ' || is_nullable || ' ' || coalesce(column_default, '') || coalesce(generation_expression, '') as item from information_schema.columns where table_schema = 'public'
  union all select 'constraint ' || conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid) from pg_constraint where connamespace = 'public'::regnamespace and contype <> 'n'
  union all select 'index ' || indexdef from pg_indexes where schemaname = 'public'
  union all select 'trigger ' || pg_get_triggerdef(oid) from pg_trigger where not tgisinternal
  union all select 'function ' || pg_get_functiondef(oid) || coalesce(proacl::text, '') from pg_proc where pronamespace = 'public'::regnamespace
  union all select 'policy ' || tablename || ' ' || policyname || ' ' || qual || ' ' || with_check from pg_policies
  union all select 'table ' || relname || ' ' || relrowsecurity || ' ' || relforcerowsecurity || ' ' || coalesce(relacl::text, '') from pg_class where relnamespace = 'public'::regnamespace
  order by 1`

t.test('migrations run from every earlier state, pending ones are refused at start, and a failed one leaves nothing', async (t) => {
  const { orm, open } = await openEmptyDatabase(t)
  await orm.em.execute('create table memberships (obstacle int)')
  await t.rejects(migrate(orm), { code: '42P07' })
  t.same(await orm.em.execute("select to_regclass('contracts')::text as contracts, to_regclass('customers')::text as customers"), [{ contracts: null, customers: null }])
  await orm.em.execute('drop table memberships')

  for (const [index, name] of names.entries()) {
    const pending = names.slice(index)
    t.same((await orm.migrator.getPending()).map(migration => migration.name), pending)
    const refusal = await open('refuse').then(() => t.fail('it opened'), (error: Error) => error) as Error
    t.equal(refusal.message, `${pending.length} migrations have not run (${pending.join(', ')}): run \`obra migrate\` first`)
    await orm.migrator.up({ to: name })
  }
  t.same(await migrate(orm), { migrated: [], ...unchanged }, 'running them again does nothing')

  const inOneGo = await openTestDatabase(t)
  t.same(await orm.em.execute(schema), await inOneGo.psql(schema), 'the schema is the same, migrated in steps or at once')

  const database = await open('migrate')
  t.same(await database.sql.query({ text: 'select current_user::text as role, (select count(*) from mikro_orm_migrations) as migrations', values: [] }), [{ role: 'obra_app', migrations: names.length + 1 }])
  if (database.kind === 'postgres') await database.close()
})
