import t from 'tap'
import { migrations } from '../../../../src/database/migrations/index.ts'
import { abandoned, routinesSql, staleFiles, type RoutineRow } from '../../../../src/database/schema/load-routines.ts'
import { routines, routinesVersion } from '../../../../src/database/schema/routines.ts'
import { entities } from '../../../../src/domain/entities/index.ts'
import { migrate, pendingMigrations, settleMigrations } from '../../../../src/server/migrate.ts'
import { openEmptyDatabase } from '../../../support/empty-database.ts'
import { openTestDatabase } from '../../../support/helper.ts'

const none: string[] = []

t.test('each function of a migrated database is that of its file, or is made for a declared trigger', async (t) => {
  const { psql } = await openTestDatabase(t)
  const rows = await psql(routinesSql) as RoutineRow[]
  t.strictSame(staleFiles(rows), [])
  t.strictSame(abandoned(rows), [])
  t.equal(rows.filter(({ noted }) => noted !== null).length, routines.reduce((sum, { overloads }) => sum + overloads, 0))
  const called = new Set(entities.flatMap(({ meta: { triggers = [] } }) => triggers.map(({ expression = '' }) => /execute function (\w+)/.exec(expression)?.[1])))
  t.strictSame(rows.filter(({ name, noted }) => noted === null && !called.has(name)), [], 'functions without a file')
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

t.test('obra migrate restores what differs and drops what no file defines, and a server without the functions refuses to start', async (t) => {
  const { orm } = await openEmptyDatabase(t)
  const run = async (sql: string) => await orm.em.execute<RoutineRow[]>(sql)
  t.strictSame(await migrate(orm), { migrated: migrations.map(({ name }) => name), loaded: routines.map(({ name }) => name), dropped: [] })
  t.strictSame(await migrate(orm), { migrated: none, loaded: none, dropped: none })
  const before = await run(routinesSql)

  const hash = '0'.repeat(32)
  await run('alter function keep_sum reset all')
  await run('alter function percent_of volatile')
  await run(`comment on function lock_companies is 'obra ${hash} ${hash}'`)
  await run('create function left_over() returns int language sql return 1')
  await run(`comment on function left_over is 'obra ${hash} ${hash}'`)
  await run('create function of_somebody_else() returns int language sql return 1')
  const { loaded, dropped } = await migrate(orm)
  t.strictSame([...loaded].sort(), ['keep_sum', 'lock_companies', 'percent_of'])
  t.strictSame(dropped, ['left_over'])
  await run('drop function of_somebody_else')
  t.strictSame(await run(routinesSql), before)

  t.strictSame(await pendingMigrations(orm), [])
  await run(`update mikro_orm_migrations set name = 'routines-of-before' where name = '${routinesVersion}'`)
  t.strictSame(await pendingMigrations(orm), [routinesVersion])
  await t.rejects(settleMigrations(orm, 'refuse'), { message: `1 migrations have not run (${routinesVersion}): run \`obra migrate\` first` })
  t.strictSame(await migrate(orm), { migrated: none, loaded: none, dropped: none })
  t.strictSame(await pendingMigrations(orm), [])

  await run("insert into mikro_orm_migrations (name) values ('routines-of-later')")
  t.strictSame(await pendingMigrations(orm), [], 'a later release has loaded its functions')
  await migrate(orm)
  const loads = await run("select name from mikro_orm_migrations where name like 'routines-%' order by id")
  t.strictSame(loads.map(({ name }) => name), ['routines-of-before', routinesVersion], 'the later release must load them again')
})

t.test('an earlier release loads nothing into the database of a later one', async (t) => {
  const { orm } = await openEmptyDatabase(t)
  await migrate(orm)
  await orm.em.execute("insert into mikro_orm_migrations (name) values ('999-later')")
  await orm.em.execute('alter function keep_sum reset all')
  await orm.em.execute(`delete from mikro_orm_migrations where name = '${routinesVersion}'`)
  t.strictSame(await migrate(orm), { migrated: none, loaded: none, dropped: none })
  t.strictSame(await pendingMigrations(orm), [])
})

t.test('an overload that no file has is named, and nothing is loaded', async (t) => {
  const { orm } = await openEmptyDatabase(t)
  await migrate(orm)
  await orm.em.execute('create function keep_sum(other int) returns int language sql return other')
  await t.rejects(migrate(orm), { message: /defines 1 of keep_sum\(\), keep_sum\(integer\): drop the others in a migration$/ })
  await orm.em.execute('drop function keep_sum(int)')
  t.strictSame(await migrate(orm), { migrated: none, loaded: none, dropped: none })
})
