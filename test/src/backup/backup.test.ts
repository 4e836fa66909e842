import { randomBytes } from 'node:crypto'
import { open } from 'node:fs/promises'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import t, { type Test } from 'tap'
import { openPostgresOrm, type Orm } from '../../../mikro-orm.config.ts'
import { backUp, type Progress } from '../../../src/backup/back-up.ts'
import { linesOf } from '../../../src/backup/format.ts'
import { restore } from '../../../src/backup/restore.ts'
import { loadConfig } from '../../../src/config.ts'
import { entities } from '../../../src/entities/index.ts'
import { migrations } from '../../../src/migrations/index.ts'
import { openEmptyDatabase } from '../../empty-database.ts'
import { build, buildOn, type TestDatabase } from '../../helper.ts'
import { server } from '../../template.ts'
import { catalogOf } from './catalog.ts'

/** Works on a test's database as its owner. */
async function asOwnerOf<T> ({ env, database }: TestDatabase, work: (orm: Orm) => Promise<T>): Promise<T> {
  if (server === undefined) {
    await database.orm.em.execute('set role none')
    return await work(database.orm).finally(async () => await database.orm.em.execute('set role obra_app'))
  }
  const orm = await openPostgresOrm(loadConfig(env), 'owner', 1)
  return await work(orm).finally(async () => await orm.close(true))
}

/** Backs up. @returns the lines */
async function linesOfBackup (t: Test, orm: Orm, progress?: Progress): Promise<string[]> {
  const path = join(t.testdir(), 'backup')
  const file = await open(path, 'w')
  await backUp(orm, file, progress).finally(async () => await file.close())
  return gunzipSync(readFileSync(path)).toString().trimEnd().split('\n')
}

async function * each (lines: string[]) {
  yield * lines
}

/** The rows by table, each row as its text; those of revisions apart, since a restore raises them. */
function tablesOf (lines: string[]) {
  const tables: Record<string, string[]> = {}
  let at = ''
  for (const line of lines.slice(1, -1)) {
    const { table } = JSON.parse(line)
    if (table === undefined) tables[at]?.push(line)
    else tables[at = table] = [line]
  }
  const { company_revisions: revisions = [], ...rest } = tables
  return { tables: rest, revisions: revisions.slice(1).map(line => JSON.parse(line)), sequences: JSON.parse(lines.at(-1) as string).sequences }
}

/** {@link catalogOf} as the owner sees it, who is this one. */
async function madeOf (orm: Orm, owner: string) {
  t.same(await orm.em.execute('select current_user as me'), [{ me: owner }])
  return await catalogOf(async sql => await orm.em.execute(sql), owner)
}

t.test('what was backed up is what is restored, down to policies and answers', async (t) => {
  const source = await build(t)
  const director = await source.as('director@demo.example')
  const key = { 'idempotency-key': 'backup-1' }
  const made = (await director.post('contracts/', { folio: 'RESPALDO-1', monto: '9999999999999999.99', descripcion: 'línea\u2028y\n"comillas" \\ 🏗' }, key)).json()
  t.equal((await director.send('PATCH', `contracts/${made.id}/`, { anticipo_porcentaje: '12.50' })).json().version, 2)
  const gone = (await director.post('contracts/', { folio: 'RESPALDO-2', parent: made.id })).json().id
  t.equal((await director.send('PATCH', `contracts/${made.id - 50}/`, { parent: made.id })).statusCode, 200, 'a parent that comes after its child')
  t.equal((await director.send('DELETE', `contracts/${gone}/`)).statusCode, 204)
  await director.post('api-token-refresh/', { refresh: (await source.as('director@demo.example')).refresh })

  const steps: number[][] = []
  const lines = await asOwnerOf(source, async orm => await linesOfBackup(t, orm, (...step) => steps.push(step)))
  const head = JSON.parse(lines[0] as string)
  t.match(head, { obra: 'backup', format: 1, migrations: migrations.map(({ name }) => name) })
  t.equal(head.rows, lines.length - 2 - entities.length)
  t.strictSame(steps.at(-1), [head.rows, head.rows])

  const owner = `obra_test_owner_${randomBytes(4).toString('hex')}`
  const target = await openEmptyDatabase(t, owner)

  await t.test('a backup without its end, or that is none, restores nothing', async (t) => {
    await t.rejects(restore(target.orm, each(lines.slice(0, -1))), { message: 'the backup is not whole: its end is missing' })
    await t.rejects(restore(target.orm, each([lines[0] as string, '{"id":1}', ...lines.slice(1)])), { message: 'the backup is damaged' })
    await t.rejects(restore(target.orm, each(['{"some":"file"}'])), { message: 'this is no backup of Obra' })
    await t.rejects(restore(target.orm, each([])), { message: 'the backup is not whole: its end is missing' })
    await t.rejects(restore(target.orm, each([JSON.stringify({ ...head, migrations: [...head.migrations, '99-later'], version: '9.9.9' })])), { message: /newer Obra \(9\.9\.9\)/ })
    await t.rejects(restore(target.orm, each([JSON.stringify({ obra: 'backup', format: 2, version: '9.9.9' })])), { message: /newer Obra \(9\.9\.9\)/ }, 'of whatever form')
    const orphan = lines.map(line => line.replace('"folio":"RESPALDO-1","contraparte_id":null', '"folio":"RESPALDO-1","contraparte_id":1000000'))
    await t.rejects(restore(target.orm, each(orphan)), /foreign key/, 'what refers to nothing')
    t.strictSame(await target.orm.em.execute("select relname from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' and relname <> 'mikro_orm_migrations'"), [])
  })

  const before = Date.now()
  t.strictSame(await restore(target.orm, each(lines)), { rows: head.rows, migrations: head.migrations })
  await t.rejects(restore(target.orm, each(lines)), { message: 'the database is not empty: restore into a new one' })

  // The owner is no superuser and bound by the policies: a backup by that one has all rows too.
  t.same(await target.orm.em.execute('select rolsuper or rolbypassrls as free from pg_roles where rolname = current_user'), [{ free: false }])
  const [first, second] = [tablesOf(lines), tablesOf(await linesOfBackup(t, target.orm))]
  t.strictSame(second.tables, first.tables, 'every row, in its place')
  t.strictSame(second.sequences, first.sequences)
  t.strictSame(second.revisions.map(({ revision, ...counters }) => counters), first.revisions.map(({ revision, ...counters }) => counters))
  for (const { revision } of second.revisions) t.ok(revision >= before && revision <= Date.now(), 'no revision comes again')
  t.strictSame((await target.orm.em.execute<Array<{ name: string }>>("select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' order by 1")).map(({ name }) => name),
    [...entities.map(({ meta }) => meta.tableName), 'mikro_orm_migrations', 'search_resources'].sort(), 'no table is left out')
  t.ok((first.tables['contracts']?.length ?? 0) > 86)

  const fresh = await openEmptyDatabase(t, `${owner}_2`)
  await fresh.orm.migrator.up()
  t.strictSame(await madeOf(target.orm, owner), await madeOf(fresh.orm, `${owner}_2`), 'the walls are those of a migrated database')

  const app = await buildOn(t, await target.open('refuse'))
  const ask = async (url: string) => (await app.inject({ url: `/api/v1/${url}`, headers: { authorization: `Bearer ${director.access}` } })).json()
  for (const url of ['me/', 'contracts/?page_size=200', `contracts/${made.id}/`, `contracts/${made.id}/tree/`, 'contracts/?search=respaldo', 'contracts/?search=on-2026-001', 'estimates/', 'contrapartes/']) {
    t.strictSame(await ask(url), (await director.get(url)).json(), url)
  }
  t.equal((await ask('contracts/?search=respaldo')).count, 1)
  const again = await app.inject({ method: 'POST', url: '/api/v1/contracts/', headers: { authorization: `Bearer ${director.access}`, ...key }, payload: { folio: 'RESPALDO-1', monto: '9999999999999999.99', descripcion: 'línea\u2028y\n"comillas" \\ 🏗' } })
  t.match(again, { statusCode: 201, headers: { 'idempotency-replayed': 'true' } })
  const created = await app.inject({ method: 'POST', url: '/api/v1/contracts/', headers: { authorization: `Bearer ${director.access}` }, payload: { folio: 'DESPUES-1' } })
  t.equal(created.json().id, gone + 1, 'numbers go on where they were')
})

t.test('the backup of an older Obra is restored and migrated', async (t) => {
  const old = await openEmptyDatabase(t)
  await t.rejects(linesOfBackup(t, old.orm), { message: 'there is nothing to back up: no migration has run' })
  await old.orm.migrator.up({ to: '5-estimates' })
  await old.orm.em.execute("insert into customers (nombre) values ('Constructora Vieja')")
  await old.orm.em.execute("insert into companies (nombre, customer_id) values ('Obra Vieja', 1)")
  const lines = await linesOfBackup(t, old.orm)

  const target = await openEmptyDatabase(t)
  await restore(target.orm, each(lines))
  const { sql } = await target.open('refuse')
  t.match(await sql.query({ text: 'select c.nombre, o.nombre as company, o.version from customers c join companies o on o.customer_id = c.id', values: [] }), [{ nombre: 'Constructora Vieja', company: 'Obra Vieja', version: 1 }])
})

if (server !== undefined) {
  t.test('a backup is of one moment, whoever writes meanwhile', async (t) => {
    const source = await build(t)
    await source.psql('begin')
    await source.psql('lock table contrapartes in access exclusive mode')
    const running = asOwnerOf(source, async orm => await linesOfBackup(t, orm))
    const waits = async () => (await source.psql("select count(*)::int as n from pg_locks where not granted and relation = 'contrapartes'::regclass"))[0]?.['n']
    while (await waits() === 0) continue
    await source.psql("insert into contrapartes (company_id, nombre) select 1, 'Tardía ' || n from generate_series(1, 50) n")
    await source.psql("insert into contracts (company_id, folio) values (1, 'TARDE-1')")
    await source.psql('commit')
    const { tables, revisions } = tablesOf(await running)
    for (const resource of ['contracts', 'contrapartes']) {
      const counted = revisions.reduce((sum, row) => sum + row[resource], 0)
      t.equal(tables[resource]?.length, counted + 1, `${resource}, below their heading`)
    }
    t.notMatch(tables['contracts']?.join('\n'), 'TARDE-1')
  })
}

t.test('lines are told apart by line feeds alone, wherever the pieces end', async (t) => {
  const bytes = Buffer.from('{"a":"ñ\u2028\r"}\n{"b":"🏗"}\n')
  for (const size of [1, 3, bytes.length]) {
    const lines: string[] = []
    for await (const line of linesOf((async function * () { for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size) })())) lines.push(line)
    t.strictSame(lines, ['{"a":"ñ\u2028\r"}', '{"b":"🏗"}'])
  }
})
