import { randomBytes } from 'node:crypto'
import { open } from 'node:fs/promises'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import t, { type Test } from 'tap'
import { openOrm } from '../../../../src/server/open-database.ts'
import type { Orm } from '../../../../src/database/orm.ts'
import { backUp, type Progress } from '../../../../src/cli/backup/back-up.ts'
import { linesOf } from '../../../../src/cli/backup/format.ts'
import { restore } from '../../../../src/cli/backup/restore.ts'
import { asFormat1, sealed } from './sealed.ts'
import { entities } from '../../../../src/domain/entities/index.ts'
import { migrations } from '../../../../src/database/migrations/index.ts'
import { openEmptyDatabase } from '../../../support/empty-database.ts'
import { build, buildOn, type TestDatabase } from '../../../support/helper.ts'
import { server } from '../../../support/template.ts'
import { catalogOf } from './catalog.ts'

/** Works on a test's database as its owner. */
async function asOwnerOf<T> ({ env, database }: TestDatabase, work: (orm: Orm) => Promise<T>): Promise<T> {
  if (server === undefined) {
    await database.orm.em.execute('set role none')
    return await work(database.orm).finally(async () => await database.orm.em.execute('set role obra_app'))
  }
  const orm = await openOrm(env['DATABASE_URL'] as string, 'owner')
  return await work(orm).finally(async () => await orm.close(true))
}

/** Backs up. @returns the lines */
async function linesOfBackup (t: Test, orm: Orm, progress?: Progress): Promise<string[]> {
  const path = join(t.testdir(), 'backup')
  const file = await open(path, 'w')
  await backUp(orm, file, progress).finally(async () => await file.close())
  return gunzipSync(readFileSync(path)).toString().trimEnd().split('\n')
}

/** Reads lines from the first on, as often as it is asked to. */
const each = (lines: string[]) => async function * () { yield * lines }

/** The rows by table, each row as its text; those of revisions apart, since a restore raises them. */
function tablesOf (lines: string[]) {
  const tables: Record<string, string[]> = {}
  let at = ''
  for (const line of lines.slice(1, -2)) {
    const { table } = JSON.parse(line)
    if (table === undefined) tables[at]?.push(line)
    else tables[at = table] = [line]
  }
  const { company_revisions: revisions = [], ...rest } = tables
  return { tables: rest, revisions: revisions.slice(1).map(line => JSON.parse(line)), sequences: JSON.parse(lines.at(-2) as string).sequences }
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
  t.match(head, { obra: 'backup', format: 2, migrations: migrations.map(({ name }) => name) })
  t.equal(head.rows, lines.length - 3 - entities.length)
  t.strictSame(steps.at(-1), [head.rows, head.rows])

  const owner = `obra_test_owner_${randomBytes(4).toString('hex')}`
  const target = await openEmptyDatabase(t, owner)

  await t.test('a backup without its end, or that is none, restores nothing', async (t) => {
    await t.rejects(restore(target.orm, each(lines.slice(0, -1))), { message: 'the backup is incomplete: its end is missing' })
    await t.rejects(restore(target.orm, each([lines[0] as string, '{"id":1}', ...lines.slice(1)])), { message: 'the backup is damaged' })
    await t.rejects(restore(target.orm, each(['{"some":"file"}'])), { message: 'the file is not an Obra backup' })
    await t.rejects(restore(target.orm, each([])), { message: 'the backup is incomplete: its end is missing' })
    await t.rejects(restore(target.orm, each([JSON.stringify({ ...head, migrations: [...head.migrations, '99-later'], version: '9.9.9' })])), { message: /newer Obra \(9\.9\.9\)/ })
    await t.rejects(restore(target.orm, each([JSON.stringify({ obra: 'backup', format: 3, version: '9.9.9' })])), { message: /newer Obra \(9\.9\.9\)/ }, 'of whatever form')
    await t.rejects(restore(target.orm, each([...lines, '{}'])), { message: 'the backup is damaged' }, 'more than a backup')
    await t.rejects(restore(target.orm, each(lines.map(line => line.replace('"RESPALDO-1"', '"RESPALDO-9"')))), { message: 'the backup is damaged: its checksum does not match' })
    const orphan = sealed(lines.slice(0, -1).map(line => line.replace('"folio":"RESPALDO-1","contraparte_id":null', '"folio":"RESPALDO-1","contraparte_id":1000000')))
    await t.rejects(restore(target.orm, each(orphan)), /foreign key/, 'what refers to nothing')

    await t.test('nor does one that names other tables, columns and sequences than the migrations make, whatever its checksum', async (t) => {
      const row = lines.findIndex(line => line.includes('"folio":"RESPALDO-1"'))
      const heading = lines.findIndex(line => line.startsWith('{"table":"contracts"'))
      const changed = (index: number, change: (line: any) => unknown) => lines.slice(0, -1).map((line, at) => at === index ? JSON.stringify(change(JSON.parse(line))) : line)
      const forged: Array<[string[], RegExp]> = [
        [changed(heading, head => ({ ...head, table: 'pg_authid' })), /^the backup is damaged$/],
        [changed(heading, head => ({ ...head, table: 'pg_catalog.pg_authid' })), /^the backup is damaged$/],
        [changed(heading, head => ({ ...head, table: 'mikro_orm_migrations' })), /^the backup is damaged$/],
        [changed(heading, head => ({ ...head, table: 'search_resources' })), /^the backup is damaged$/],
        [changed(heading, head => ({ ...head, table: 'contracts" (id) select 1; drop table contracts; --' })), /^the backup is damaged$/],
        [changed(heading, head => ({ ...head, table: 'users' })), /^the backup is damaged$/],
        [changed(heading, head => ({ ...head, columns: [...head.columns, 'busqueda'] })), /^the backup is damaged: "contracts" is not a table of its migrations, or its columns differ$/],
        [changed(heading, head => ({ ...head, columns: [...head.columns, 'id'] })), /^the backup is damaged$/],
        [changed(heading, head => ({ ...head, columns: 'id' })), /^the backup is damaged$/],
        [changed(heading, head => ({ ...head, rows: head.rows - 1 })), /^the backup is damaged$/],
        [changed(heading, head => ({ ...head, rows: -1 })), /^the backup is damaged$/],
        [changed(0, head => ({ ...head, rows: head.rows + 1 })), /^the backup is damaged$/],
        [changed(0, head => ({ ...head, migrations: [] })), /^the backup is damaged$/],
        [changed(0, head => ({ ...head, migrations: head.migrations.slice(0, 3) })), /^the backup is damaged: ".+" is not a table of its migrations, or its columns differ$/],
        [changed(row, record => ({ ...record, rolsuper: true })), /^the backup is damaged$/],
        [changed(row, record => [record]), /^the backup is damaged$/],
        [changed(row, () => null), /^the backup is damaged$/],
        [lines.slice(0, -1).toSpliced(row, 1, 'no JSON'), /^the backup is damaged$/],
        [lines.slice(0, -1).toSpliced(row, 1), /^the backup is (damaged|incomplete: its end is missing)$/],
        [changed(lines.length - 2, ({ sequences }) => ({ sequences: { ...sequences, mikro_orm_migrations_id_seq: 5 } })), /^the backup is damaged: "mikro_orm_migrations_id_seq" is not a sequence of its tables$/],
        [changed(lines.length - 2, ({ sequences }) => ({ sequences: { ...sequences, 'x"; drop table users; --': 5 } })), /^the backup is damaged: .* is not a sequence of its tables$/],
        [changed(lines.length - 2, ({ sequences }) => ({ sequences: { ...sequences, users_id_seq: '5' } })), /^the backup is damaged$/]
      ]
      for (const [index, [text, message]] of forged.entries()) {
        await t.rejects(restore(target.orm, each(sealed(text))), { message }, String(index))
        await t.rejects(restore(target.orm, each(asFormat1(sealed(text)))), { message }, `${index}, without a checksum`)
      }
    })

    await t.test('nor does one that becomes another between the check and the writing', async (t) => {
      const other = sealed(lines.slice(0, -1).map(line => line.replace('"RESPALDO-1"', '"RESPALDO-9"')))
      const readings = [each(lines), each(other)]
      await t.rejects(restore(target.orm, () => (readings.shift() as ReturnType<typeof each>)()), { message: 'the backup changed during the restore' })
    })

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

t.test('the backup of an older Obra, which has no checksum, is restored and migrated', async (t) => {
  const old = await openEmptyDatabase(t)
  await t.rejects(linesOfBackup(t, old.orm), { message: 'the database is empty: no migration has run' })
  await old.orm.migrator.up({ to: '5-estimates' })
  await old.orm.em.execute("insert into customers (nombre) values ('Constructora Vieja')")
  await old.orm.em.execute("insert into companies (nombre, customer_id) values ('Obra Vieja', 1)")
  await old.orm.em.execute("insert into contrapartes (company_id, nombre) values (1, 'Concretos Viejos')")
  await old.orm.em.execute("insert into contracts (company_id, folio, contraparte_id, parent_id) values (1, 'V-1', 1, null), (1, 'V-2', null, 1)")
  await old.orm.em.execute("insert into estimates (company_id, contract_id, periodo_inicio, periodo_fin) values (1, 2, '2026-01-01', '2026-01-31')")
  const lines = await linesOfBackup(t, old.orm)

  const target = await openEmptyDatabase(t)
  await restore(target.orm, each(asFormat1(lines)))
  const { sql } = await target.open('refuse')
  t.match(await sql.query({ text: 'select c.nombre, o.nombre as company, o.version from customers c join companies o on o.customer_id = c.id', values: [] }), [{ nombre: 'Constructora Vieja', company: 'Obra Vieja', version: 1 }])
  t.same(await sql.within([1], 'read only', [{
    text: 'select c.id, c.folio, c.parent_id, c.contraparte_id, e.id as estimate, e.numero from contracts c left join estimates e on e.contract_id = c.id order by c.id', values: []
  }, { text: "select search.candidates('contracts', 1, array['viejos'], 100) as ids", values: [] }]), [[
    { id: 1, folio: 'V-1', parent_id: null, contraparte_id: 1, estimate: null, numero: null },
    { id: 2, folio: 'V-2', parent_id: 1, contraparte_id: null, estimate: 1, numero: 1 }
  ], [{ ids: [1] }]])
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
