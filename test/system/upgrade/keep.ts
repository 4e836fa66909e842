import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import manifest from '../../../package.json' with { type: 'json' }
import { loadConfig } from '../../../src/config.ts'
import { loadDemo } from '../../../src/domain/demo/load.ts'
import { buildServer } from '../../../src/server/fastify.ts'
import { migrate } from '../../../src/server/migrate.ts'
import { openDatabase, openOrm } from '../../../src/server/open-database.ts'
import { logIn, secret } from '../../support/helper.ts'
import { databaseUrl, dropCopy, onServer } from '../../support/template.ts'
import { answersOf } from './answers.ts'

/**
 * Keeps the database of this release in `databases/`, as SQL, with answers of its API. Later releases must migrate it and still give these
 * answers. Run it before the commit of the release, after its version is set, with the pg_dump of PostgreSQL 15:
 * `DATABASE_URL=postgres://… node test/system/upgrade/keep.ts`
 */
const name = 'obra_kept_release'
const url = databaseUrl(name)
await dropCopy(name)
await onServer(async client => await client.query(`create database ${name}`))
const owner = await openOrm(url, 'owner')
await migrate(owner)
await loadDemo(owner)
await owner.close(true)

const database = await openDatabase(loadConfig({ DATABASE_URL: url }), 'refuse')
const app = await buildServer({ config: { ...loadConfig({ LOG_LEVEL: 'silent' }), JWT_SECRET: secret }, database })
const [director, corporate] = [await logIn(app, 'director@demo.example'), await logIn(app, 'corporativo@demo.example')]
// Rows that the demo data does not have.
const writes: Array<[string, object]> = [
  ['webhooks/', { url: 'http://127.0.0.1:4000/obra', events: ['contracts.updated'] }],
  ['adjuntos/', { contract: 1, nombre: 'plano.pdf', tipo: 'application/pdf', bytes: 3000, sha256: 'a'.repeat(64) }],
  ['contracts/', { folio: 'CON-LLAVE', monto: '9999999999999999.99', descripcion: 'línea\u2028y\n"comillas" \\ 🏗' }],
  ['mutations/', { device: '6128396f-c09b-4ec6-8699-43c5f7e3b230', mutations: [{ id: 1, op: 'create', resource: 'contracts', ref: 'a1', body: { folio: 'DE-UN-EQUIPO' } }] }]
]
for (const [path, body] of writes) {
  const { statusCode, body: text } = await director.post(path, body, path === 'contracts/' ? { 'idempotency-key': 'kept-1' } : {})
  if (statusCode >= 300) throw new Error(`${path}: ${statusCode} ${text}`)
}
const answers = await answersOf(director, corporate)
await app.close()
await database.close()

// psql alone knows \restrict, and the settings would stay in the session.
const sql = execFileSync('pg_dump', ['--rows-per-insert=100', url], { encoding: 'utf8', maxBuffer: 2 ** 26 }).replaceAll(/^\\(un)?restrict .*\n/gm, '')
const keep = (file: string, text: string) => writeFileSync(join(import.meta.dirname, 'databases', `${manifest.version}.${file}.gz`), gzipSync(text, { level: 9 }))
keep('sql', sql)
keep('json', JSON.stringify(answers))
await dropCopy(name)
