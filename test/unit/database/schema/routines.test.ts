import t from 'tap'
import { migrations } from '../../../../src/database/migrations/index.ts'
import { declaredBy } from '../../../../src/database/schema/declared.ts'
import { abandonedRoutines, routinesSql, staleRoutines, type RoutineRow } from '../../../../src/database/schema/load-routines.ts'
import { abandonedTriggers, fullName, staleTriggers, triggersSql, type TriggerRow } from '../../../../src/database/schema/load-triggers.ts'
import { load, unchanged } from '../../../../src/database/schema/load.ts'
import { triggerDefs } from '../../../../src/database/schema/triggers.ts'
import { declared } from '../../../../src/domain/entities/declared.ts'
import { migrate, pendingMigrations, settleMigrations } from '../../../../src/server/migrate.ts'
import { openEmptyDatabase } from '../../../support/empty-database.ts'
import { openTestDatabase } from '../../../support/helper.ts'

const { routines, triggers, version } = declared
const none: string[] = []
const nothing = { migrated: none, ...unchanged }

t.test('each function and trigger of a migrated database is that of this release', async (t) => {
  const { psql } = await openTestDatabase(t)
  const rows = await psql(routinesSql) as RoutineRow[]
  t.strictSame(staleRoutines(routines, rows), [])
  t.strictSame(abandonedRoutines(routines, rows), [])
  t.strictSame(rows.filter(({ noted }) => noted === null), [], 'functions without a text')
  t.equal(rows.length, routines.reduce((sum, { overloads }) => sum + overloads, 0))
  const present = await psql(triggersSql) as TriggerRow[]
  t.strictSame(staleTriggers(triggers, present), [])
  t.strictSame(abandonedTriggers(triggers, present), [])
  t.strictSame(present.filter(({ noted }) => noted === null), [], 'triggers without a declaration')
  t.equal(present.length, triggers.length)
})

t.test('a body in standard SQL comes after what it names', (t) => {
  const standard = routines.filter(({ sql }) => /^(return|begin atomic)/m.test(sql))
  t.ok(standard.length > 15)
  for (const { name, sql } of standard) {
    const later = routines.slice(routines.findIndex(routine => routine.name === name) + 1)
    t.strictSame(later.filter(other => new RegExp(`\\b${other.name.replace('.', '\\.')}\\b`).test(sql)).map(({ name }) => name), none, name)
  }
  t.end()
})

t.test('a declaration must name the function whose text it has, and a function has one text', (t) => {
  const text = (name: string, result = 'null') => `create or replace function ${name}() returns trigger language plpgsql as $$ begin return ${result}; end $$;`
  const tables = (...routines: string[]) => routines.map(routine => ({ tableName: 'almacenes', triggers: triggerDefs('almacenes', { keep_zone: { fires: 'before insert', routine } }) }))
  const { routines, triggers, version: other } = declaredBy(tables(text('keep_zone'), text('keep_zone')))
  t.match(routines.filter(({ origin }) => origin === 'the declaration of almacenes'), [{ name: 'keep_zone', overloads: 1 }])
  t.strictSame(triggers.map(fullName), ['almacenes.keep_zone', 'almacenes.keep_zone'])
  t.not(declaredBy(tables(text('keep_zone', 'new'))).version, other, 'the version contains the texts of declarations')
  t.throws(() => declaredBy(tables(text('keep_zones'))), { message: 'the declaration of almacenes must define `create or replace function keep_zone`, and nothing else' })
  t.throws(() => declaredBy(tables(text('keep_zone'), text('keep_zone', 'new'))), { message: 'the declaration of almacenes and the declaration of almacenes have other texts of keep_zone' })
  t.end()
})

t.test('obra migrate restores the functions that differ and drops those that no longer exist, and a server without them refuses to start', async (t) => {
  const { orm } = await openEmptyDatabase(t)
  const run = async (sql: string) => await orm.em.execute<RoutineRow[]>(sql)
  const first = await migrate(orm)
  t.strictSame(first.migrated, migrations.map(({ name }) => name))
  t.strictSame(first.functions.loaded, routines.map(({ name }) => name))
  t.strictSame(first.triggers.loaded, triggers.map(fullName))
  t.strictSame(await migrate(orm), nothing)
  const before = await run(routinesSql)

  const hash = '0'.repeat(32)
  await run('alter function keep_sum reset all')
  await run('alter function percent_of volatile')
  await run('create or replace function number_convenios_numero() returns trigger language plpgsql as \'begin new.numero := 1; return new; end\'')
  await run(`comment on function lock_companies is 'obra ${hash} ${hash}'`)
  await run('create function left_over() returns int language sql return 1')
  await run(`comment on function left_over is 'obra ${hash} ${hash}'`)
  await run('create function of_somebody_else() returns int language sql return 1')
  const { functions } = await migrate(orm)
  t.strictSame([...functions.loaded].sort(), ['keep_sum', 'lock_companies', 'number_convenios_numero', 'percent_of'])
  t.strictSame(functions.dropped, ['left_over'])
  await run('drop function of_somebody_else')
  t.strictSame(await run(routinesSql), before)

  t.strictSame(await pendingMigrations(orm), [])
  await run(`update mikro_orm_migrations set name = 'routines-of-before' where name = '${version}'`)
  t.strictSame(await pendingMigrations(orm), [version])
  await t.rejects(settleMigrations(orm, 'refuse'), { message: `1 migrations have not run (${version}): run \`obra migrate\` first` })
  t.strictSame(await migrate(orm), nothing)
  t.strictSame(await pendingMigrations(orm), [])

  await run("insert into mikro_orm_migrations (name) values ('routines-of-later')")
  t.strictSame(await pendingMigrations(orm), [], 'a later release has loaded its functions')
  await migrate(orm)
  const loads = await run("select name from mikro_orm_migrations where name like 'routines-%' order by id")
  t.strictSame(loads.map(({ name }) => name), ['routines-of-before', version], 'the later release must load them again')
})

t.test('obra migrate restores the triggers that differ, drops those that no longer exist, and leaves those of others', async (t) => {
  const { orm } = await openEmptyDatabase(t)
  const run = async (sql: string) => await orm.em.execute<TriggerRow[]>(sql)
  await migrate(orm)
  const before = await run(triggersSql)

  const hash = '0'.repeat(32)
  await run('drop trigger revision_update on contracts')
  await run('create or replace trigger move_contract after update of monto on contracts for each row execute function move_contract()')
  await run('drop trigger raise_authority_delete on sessions')
  await run('drop trigger raise_authority_update on sessions')
  await run('create trigger raise_authority_update after update on sessions for each row execute function raise_authority_of_user()')
  await run('create trigger left_over before insert on contracts for each row execute function touch_record()')
  await run(`comment on trigger left_over on contracts is 'obra ${hash} ${hash}'`)
  await run('create trigger of_somebody_else before insert on contracts for each row execute function touch_record()')
  t.strictSame(await migrate(orm), {
    ...nothing,
    triggers: {
      loaded: ['contracts.move_contract', 'contracts.revision_update', 'sessions.raise_authority_delete', 'sessions.raise_authority_update'],
      dropped: ['contracts.left_over']
    }
  })
  await run('drop trigger of_somebody_else on contracts')
  t.strictSame(await run(triggersSql), before)

  await run('do $$ declare t record; begin for t in select tgname, tgrelid::regclass as of from pg_trigger where not tgisinternal loop execute format(\'comment on trigger %I on %s is null\', t.tgname, t.of); end loop; end $$')
  t.strictSame((await migrate(orm)).triggers, { loaded: triggers.map(fullName), dropped: [] }, 'a database whose triggers a migration has made')
  t.strictSame(await run(triggersSql), before)
})

t.test('a trigger is replaced after a migration that leaves events of a deferred trigger on its table', async (t) => {
  const { orm } = await openEmptyDatabase(t)
  await migrate(orm)
  await orm.em.execute("insert into customers (nombre) values ('A'), ('B')")
  await orm.em.execute("insert into companies (nombre, customer_id) select 'C', min(id) from customers")
  await orm.em.execute('comment on trigger raise_authority on companies is null')
  await orm.em.fork().transactional(async (em) => {
    await em.execute('update companies set customer_id = (select max(id) from customers)')
    await orm.migrator.up({ transaction: em.getTransactionContext() })
  })
  t.same(await orm.em.execute('select count(*)::int > 0 as is_raised from authority_revisions'), [{ is_raised: true }])
  t.strictSame(await migrate(orm), nothing)
})

t.test('a declared table that no migration has made is named', async (t) => {
  const { orm } = await openEmptyDatabase(t)
  await migrate(orm)
  const triggers = [{ name: 'touch_record', table: 'almacenes', sql: 'create trigger touch_record before update on almacenes for each row execute function touch_record()', hash: '' }]
  const loading = load(async sql => await orm.em.execute(sql), { ...declared, triggers: [...declared.triggers, ...triggers] })
  await t.rejects(loading, { message: 'the table almacenes does not exist: run `obra make-migration` for its declaration first' })
})

t.test('an earlier release loads nothing into the database of a later one', async (t) => {
  const { orm } = await openEmptyDatabase(t)
  await migrate(orm)
  await orm.em.execute("insert into mikro_orm_migrations (name) values ('999-later')")
  await orm.em.execute('alter function keep_sum reset all')
  await orm.em.execute(`delete from mikro_orm_migrations where name = '${version}'`)
  t.strictSame(await migrate(orm), nothing)
  t.strictSame(await pendingMigrations(orm), [])
})

t.test('an overload that no file has is named, and nothing is loaded', async (t) => {
  const { orm } = await openEmptyDatabase(t)
  await migrate(orm)
  await orm.em.execute('create function keep_sum(other int) returns int language sql return other')
  await t.rejects(migrate(orm), { message: /defines 1 of keep_sum\(\), keep_sum\(integer\): drop the others in a migration$/ })
  await orm.em.execute('drop function keep_sum(int)')
  t.strictSame(await migrate(orm), nothing)
})
