import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import t from 'tap'
import { loadConfig } from '../../../../src/config.ts'
import { openDatabase } from '../../../../src/server/open-database.ts'
import { parsers } from '../../../../src/database/connection/postgres-sql.ts'
import type { Row } from '../../../../src/database/connection/sql.ts'
import { entities } from '../../../../src/domain/entities/index.ts'
import { build, buildOn, logIn } from '../../../support/helper.ts'
import { passedOver } from '../../../support/missing.ts'
import { patientCheck } from '../../../support/patient-check.ts'
import { emptyPlace } from '../../../support/process.ts'
import { onServer, server } from '../../../support/template.ts'
import { parse } from '../parse.ts'
import { catalogOf, uncast } from './catalog.ts'
import { superuserOptions } from '../../../support/trial/superuser.ts'

const execute = promisify(execFile)

/** The reason to skip the test, or false. pg_dump refuses a server of a later major version than its own. */
async function withoutDump (): Promise<string | false> {
  if (server === undefined) return 'pg_dump needs a PostgreSQL server'
  const versions = await Promise.all(['pg_dump', 'pg_restore'].map(async program => (await execute(program, ['--version'])).stdout)).catch(() => undefined)
  if (versions === undefined) return passedOver('pg_dump and pg_restore are not installed')
  const installed = Math.min(...versions.map(version => parseInt(/\) (\d+)/.exec(version)?.[1] as string)))
  const { rows: [{ major }] } = await onServer(async client => await client.query("select current_setting('server_version_num')::int / 10000 as major"))
  return installed < major && `pg_dump is of version ${installed}, the server of ${major}`
}

/** All rows, sequences and extensions of a database, and its schema, as the superuser sees them. */
async function everythingIn (url: string): Promise<Record<string, unknown>> {
  const client = new pg.Client({ connectionString: url, options: superuserOptions })
  for (const [oid, parse] of Object.entries(parsers)) client.setTypeParser(Number(oid), parse)
  await client.connect()
  try {
    const query = async (sql: string): Promise<Row[]> => (await client.query(sql)).rows
    const rows: Record<string, unknown> = {}
    for (const table of [...entities.map(({ meta }) => meta.tableName), 'mikro_orm_migrations']) {
      rows[table] = await query(`select to_jsonb(r)::text as row from ${table} r order by 1`)
    }
    return {
      ...rows,
      ...await catalogOf(query),
      sequences: await query('select schemaname, sequencename, last_value from pg_sequences order by 1, 2'),
      extensions: await query('select extname, extversion from pg_extension order by 1')
    }
  } finally {
    await client.end()
  }
}

t.test('a database restored from pg_dump equals the original, and its ETags do not match content that is lost', { skip: await withoutDump() }, async (t) => {
  const source = await build(t)
  const director = await source.as('director@demo.example')
  await director.post('contracts/', { folio: 'VOLCADO-1', monto: '9999999999999999.99', descripcion: 'línea\u2028y\n"comillas" \\ 🏗' }, { 'idempotency-key': 'dump-1' })
  const from = source.env['DATABASE_URL']
  const target = await emptyPlace(t)
  const to = target.env['DATABASE_URL']
  const file = join(target.dir, 'obra.dump')

  await execute('pg_dump', ['--format=custom', `--file=${file}`, from])
  const dumped = await everythingIn(from)
  t.equal((await director.post('contracts/', { folio: 'DESPUES-1' })).statusCode, 201)
  const kept = (await director.get('contracts/?ordering=-id')).headers['etag'] as string
  await execute('pg_restore', ['--exit-on-error', `--dbname=${to}`, file])
  const restored = await everythingIn(to)
  for (const [what, expected] of Object.entries(dumped)) t.strictSame(uncast(restored[what]), uncast(expected), what)
  t.ok((restored['contracts'] as unknown[]).length > 85, 'the comparison has the rows behind the policies')

  t.match(await parse(['migrate'], target.env), { error: undefined, out: /^nothing to migrate\n/ })
  const { out } = await parse(['doctor', '--json'], { ...target.env, NODE_ENV: 'production', JWT_SECRET: 'Zr8hQ0yNf1bKx3LmVt6wPcE9sJdG2uAo5iTq' })
  t.strictSame(JSON.parse(out).findings.filter(({ check, outcome }: Record<string, string>) => outcome === 'failed' || (outcome === 'warning' && ['role', 'policies', 'triggers', 'functions', 'rights', 'migrations'].includes(check))), [])

  const app = await buildOn(t, await openDatabase(loadConfig(target.env), 'refuse', patientCheck()))
  const again = await logIn(app, 'director@demo.example')
  t.equal((await again.get('contracts/?search=volcado')).json().count, 1)
  t.match((await again.post('contracts/', { folio: 'VOLCADO-1', monto: '9999999999999999.99', descripcion: 'línea\u2028y\n"comillas" \\ 🏗' }, { 'idempotency-key': 'dump-1' })).headers, { 'idempotency-replayed': 'true' })

  t.equal((await again.post('contracts/', { folio: 'OTRO-1' })).statusCode, 201)
  t.equal((await again.get('contracts/?ordering=-id', { 'if-none-match': kept })).statusCode, 200, 'a revision is used again, with another stamp')
})
