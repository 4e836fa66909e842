import { randomBytes } from 'node:crypto'
import t from 'tap'
import type { Row } from '../../../../src/database/connection/sql.ts'
import { restore } from '../../../../src/cli/backup/restore.ts'
import { migrations } from '../../../../src/database/migrations/index.ts'
import { entities } from '../../../../src/domain/entities/index.ts'
import { openEmptyDatabase } from '../../../support/empty-database.ts'
import { build, buildOn } from '../../../support/helper.ts'
import { openReleased } from '../../../support/released.ts'
import { server } from '../../../support/template.ts'
import { hasWallsOfMigrations } from './catalog.ts'
import { asOwnerOf, each, linesOfBackup } from './lines.ts'
import { sealed } from './sealed.ts'

/** The rows by table, as text, and the last values of the sequences. */
function tablesOf (lines: string[]) {
  const tables: Record<string, string[]> = {}
  let at = ''
  for (const line of lines.slice(1, -2)) {
    const { table } = JSON.parse(line)
    if (table === undefined) tables[at]?.push(line)
    else tables[at = table] = [line]
  }
  return { tables, sequences: JSON.parse(lines.at(-2) as string).sequences }
}

t.test('a restored database equals the original, with its policies and answers', async (t) => {
  const source = await build(t)
  const director = await source.as('director@demo.example')
  const key = { 'idempotency-key': 'backup-1' }
  const made = (await director.post('contracts/', { folio: 'RESPALDO-1', monto: '9999999999999999.99', descripcion: 'línea\u2028y\n"comillas" \\ 🏗' }, key)).json()
  t.equal((await director.send('PATCH', `contracts/${made.id}/`, { anticipo_porcentaje: '12.50' })).json().version, 2)
  const deleted = (await director.post('contracts/', { folio: 'RESPALDO-2', parent: made.id })).json().id
  t.equal((await director.send('PATCH', `contracts/${made.id - 50}/`, { parent: made.id })).statusCode, 200, 'a parent with a higher id than its child')
  t.equal((await director.send('DELETE', `contracts/${deleted}/`)).statusCode, 204)
  await director.post('api-token-refresh/', { refresh: (await source.as('director@demo.example')).refresh })

  const steps: number[][] = []
  const lines = await asOwnerOf(source, async orm => await linesOfBackup(t, orm, (...step) => steps.push(step)))
  const head = JSON.parse(lines[0])
  t.match(head, { obra: 'backup', format: 2, migrations: migrations.map(({ name }) => name) })
  t.equal(head.rows, lines.length - 3 - entities.length)
  t.strictSame(steps.at(-1), [head.rows, head.rows])

  const owner = `obra_test_owner_${randomBytes(4).toString('hex')}`
  const target = await openEmptyDatabase(t, owner)

  t.strictSame(await restore(target.orm, each(lines)), { rows: head.rows, migrations: head.migrations })
  await t.rejects(restore(target.orm, each(lines)), { message: 'the database is not empty: restore into a new one' })

  // The owner is no superuser and is subject to the policies. Its backup has all rows too.
  t.same(await target.orm.em.execute('select rolsuper or rolbypassrls as free from pg_roles where rolname = current_user'), [{ free: false }])
  const [first, second] = [tablesOf(lines), tablesOf(await linesOfBackup(t, target.orm))]
  t.strictSame(second.tables, first.tables, 'all rows, in the same order')
  t.strictSame(second.sequences, first.sequences)
  t.strictSame((await target.orm.em.execute<Array<{ name: string }>>("select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' order by 1")).map(({ name }) => name),
    [...entities.map(({ meta }) => meta.tableName), 'mikro_orm_migrations', 'search_resources'].sort(), 'no table is missing')
  t.ok((first.tables['contracts']?.length ?? 0) > 86)

  await hasWallsOfMigrations(t, target.orm, owner)

  const app = await buildOn(t, await target.open('refuse'))
  const ask = async (url: string) => (await app.inject({ url: `/api/v1/${url}`, headers: { authorization: `Bearer ${director.access}` } })).json()
  for (const url of ['me/', 'contracts/?page_size=200', `contracts/${made.id}/`, `contracts/${made.id}/tree/`, 'contracts/?search=respaldo', 'contracts/?search=on-2026-001', 'estimates/', 'contrapartes/']) {
    t.strictSame(await ask(url), (await director.get(url)).json(), url)
  }
  t.equal((await ask('contracts/?search=respaldo')).count, 1)
  const again = await app.inject({ method: 'POST', url: '/api/v1/contracts/', headers: { authorization: `Bearer ${director.access}`, ...key }, payload: { folio: 'RESPALDO-1', monto: '9999999999999999.99', descripcion: 'línea\u2028y\n"comillas" \\ 🏗' } })
  t.match(again, { statusCode: 201, headers: { 'idempotency-replayed': 'true' } })
  const created = await app.inject({ method: 'POST', url: '/api/v1/contracts/', headers: { authorization: `Bearer ${director.access}` }, payload: { folio: 'DESPUES-1' } })
  t.equal(created.json().id, deleted + 1, 'ids continue after the last one')

  // The original goes on, as a database whose last commits are lost. The restored one gives out the same revisions and versions.
  const url = `contracts/${made.id}/`
  await director.post('contracts/', { folio: 'PERDIDO-1' })
  await director.send('PATCH', url, { monto: '1.00' })
  const lost = await director.get(url)
  const send = async (method: 'GET' | 'PATCH', headers: object) => await app.inject({ method, url: `/api/v1/${url}`, headers: { authorization: `Bearer ${director.access}`, ...headers }, ...method === 'PATCH' ? { payload: { monto: '2.00' } } : {} })
  await send('PATCH', {})
  const present = await send('GET', {})
  const partsOf = ({ headers }: { headers: Record<string, unknown> }) => String(headers['etag']).slice(1, -1).split('.')
  const [company, revision, stamp, digest, version, changed] = partsOf(lost)
  t.match(partsOf(present), [company, revision, /./, digest, version, /./])
  t.notSame([stamp, changed], [partsOf(present)[2], partsOf(present)[5]])
  t.equal((await send('GET', { 'if-none-match': lost.headers['etag'] })).statusCode, 200)
  t.equal((await send('PATCH', { 'if-match': lost.headers['etag'] })).statusCode, 412)
  t.equal((await send('PATCH', { 'if-match': present.headers['etag'] })).statusCode, 200)
})

t.test('a backup of 1.0.0 is restored and migrated', async (t) => {
  const empty = await openEmptyDatabase(t)
  await t.rejects(linesOfBackup(t, empty.orm), { message: 'the database is empty: no migration has run; run `obra migrate` first' })
  const old = await openReleased(t)
  const run = async (sql: string) => await old.orm.em.execute<Row[]>(sql)
  await run("insert into customers (nombre) values ('Constructora Vieja')")
  const [{ id: company }] = await run("insert into companies (nombre, customer_id) select 'Obra Vieja', id from customers where nombre = 'Constructora Vieja' returning id") as [{ id: number }]
  await run(`select set_config('app.companies', '{${company}}', false)`)
  const [{ id: party }] = await run(`insert into contrapartes (company_id, nombre) values (${company}, 'Concretos Viejos') returning id`) as [{ id: number }]
  const [{ id: main }] = await run(`insert into contracts (company_id, folio, contraparte_id) values (${company}, 'V-1', ${party}) returning id`) as [{ id: number }]
  const [{ id: sub }] = await run(`insert into contracts (company_id, folio, parent_id) values (${company}, 'V-2', ${main}) returning id`) as [{ id: number }]
  const [{ id: estimate }] = await run(`insert into estimates (company_id, contract_id, periodo_inicio, periodo_fin, estado) values (${company}, ${sub}, '2026-01-01', '2026-01-31', 'autorizada') returning id`) as [{ id: number }]
  const lines = await linesOfBackup(t, old.orm)
  t.strictSame(JSON.parse(lines[0]).migrations.at(-1), '58-last-backup')

  // An earlier release also wrote the loads of functions into its backups.
  const head = JSON.parse(lines[0])
  const noted = sealed([JSON.stringify({ ...head, migrations: [...head.migrations, 'routines-0123456789abcdef'] }), ...lines.slice(1, -1)])

  const target = await openEmptyDatabase(t)
  await restore(target.orm, each(noted))
  const { sql } = await target.open('refuse')
  t.match(await sql.query({ text: "select c.nombre, o.nombre as company, o.version, o.busqueda, o.zona_horaria from customers c join companies o on o.customer_id = c.id where c.nombre = 'Constructora Vieja'", values: [] }), [
    { nombre: 'Constructora Vieja', company: 'Obra Vieja', version: 1, busqueda: 'obra vieja', zona_horaria: 'America/Mexico_City' }
  ])
  t.same(await sql.within([company], 'read only', [{
    text: `select c.id, c.folio, c.parent_id, c.contraparte_id, e.id as estimate, e.numero, e.autorizada_en is not null as is_dated
      from contracts c left join estimates e on e.contract_id = c.id order by c.id`,
    values: []
  }, { text: `select search.candidates('contracts', ${company}, array['viejos'], 100) as ids`, values: [] }]), [[
    { id: main, folio: 'V-1', parent_id: null, contraparte_id: party, estimate: null, numero: null, is_dated: false },
    { id: sub, folio: 'V-2', parent_id: main, contraparte_id: null, estimate, numero: 1, is_dated: true }
  ], [{ ids: [main] }]])
})

if (server !== undefined) {
  t.test('a backup is one snapshot, without concurrent writes', async (t) => {
    const source = await build(t)
    await source.psql('begin')
    await source.psql('lock table contrapartes in access exclusive mode')
    const running = asOwnerOf(source, async orm => await linesOfBackup(t, orm))
    const waits = async () => (await source.psql("select count(*)::int as n from pg_locks where not granted and relation = 'contrapartes'::regclass"))[0]?.['n']
    while (await waits() === 0) continue
    await source.psql("insert into contrapartes (company_id, nombre) select 1, 'Tardía ' || n from generate_series(1, 50) n")
    await source.psql("insert into contracts (company_id, folio) values (1, 'TARDE-1')")
    await source.psql('commit')
    const { tables } = tablesOf(await running)
    const revisions = tables['company_revisions']?.slice(1).map(line => JSON.parse(line)) as Array<Record<string, number>>
    for (const resource of ['contracts', 'contrapartes']) {
      const counted = revisions.reduce((sum, row) => sum + row[resource], 0)
      t.equal(tables[resource]?.length, counted + 1, `${resource}, plus the heading`)
    }
    t.notMatch(tables['contracts']?.join('\n'), 'TARDE-1')
  })
}
