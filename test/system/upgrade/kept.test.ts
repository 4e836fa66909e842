import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { PGlite } from '@electric-sql/pglite'
import pg from 'pg'
import t, { type Test } from 'tap'
import { loadConfig } from '../../../src/config.ts'
import type { Row } from '../../../src/database/connection/sql.ts'
import { migrations } from '../../../src/database/migrations/index.ts'
import { isReplaced } from '../../../src/database/migrations/older.ts'
import { openDatabase } from '../../../src/server/open-database.ts'
import { catalogOf, uncast } from '../../unit/cli/backup/catalog.ts'
import { parse } from '../../unit/cli/parse.ts'
import { openEmptyDatabase } from '../../support/empty-database.ts'
import { buildOn, logIn } from '../../support/helper.ts'
import { patientCheck } from '../../support/patient-check.ts'
import { barePlace } from '../../support/process.ts'
import { sqlOfRelease } from '../../support/released.ts'
import { superuserOptions } from '../../support/trial/superuser.ts'
import { answersOf, lostFrom, type Answers } from './answers.ts'

const folder = join(import.meta.dirname, 'databases')
const read = (file: string) => gunzipSync(readFileSync(join(folder, file))).toString()

/** Runs SQL as the superuser of a database that no server has open. @returns the rows of `work` */
async function onDatabase<T> (url: string | undefined, dataDir: string, work: (run: (sql: string) => Promise<Row[]>) => Promise<T>): Promise<T> {
  if (url === undefined) {
    const pglite = await PGlite.create({ dataDir: join(dataDir, 'pglite') })
    return await work(async sql => (await pglite.exec(sql)).at(-1)?.rows as Row[]).finally(async () => await pglite.close())
  }
  const client = new pg.Client({ connectionString: url, options: superuserOptions })
  await client.connect()
  return await work(async sql => [await client.query(sql)].flat().at(-1)?.rows as Row[]).finally(async () => await client.end())
}

/** The schema of an empty database after all migrations. */
async function migratedCatalog (t: Test): Promise<Record<string, string>> {
  const { orm } = await openEmptyDatabase(t)
  await orm.migrator.up()
  return await catalogOf(async sql => await orm.em.execute(sql))
}

/** Values that a later release has corrected. Their own tests have the right values. */
const corrected = [
  { path: /^estimates\/\?.*\.por_pagar: "0\.00" is not/, why: 'drafts, rejected and cancelled estimates are not owed' },
  { path: /caratula\/\.avance_financiero:/, why: 'financial progress counts partial payments' },
  { path: /caratula\/\.capitulos\.\d+\.(importe|avance):/, why: 'chapters have only signed amounts' },
  { path: /estado-de-cuenta\/\.documentos/, why: 'the account is in the order of time' },
  { path: /estado-de-cuenta\/\.retenido/, why: 'penalties, deductions and taxes are not retained money' }
]

const files = readdirSync(folder)
const releases = files.filter(file => file.endsWith('.sql.gz')).map(file => file.replace('.sql.gz', ''))

t.test('each kept database has its answers, and the first release is one of them', (t) => {
  t.ok(releases.includes('1.0.0'))
  t.strictSame(files, releases.flatMap(release => [`${release}.json.gz`, `${release}.sql.gz`]))
  t.end()
})

for (const release of releases) {
  t.test(`the database of ${release} is migrated, and the API still gives its answers`, async (t) => {
    const { dataDir, env } = await barePlace(t)
    const url = env['DATABASE_URL']
    const run = await onDatabase(url, dataDir, async (run) => {
      await run(sqlOfRelease(release))
      return (await run('select name from public.mikro_orm_migrations order by id')).map(({ name }) => name)
    })
    const kept = run.filter(name => !isReplaced(name))
    t.strictSame(migrations.map(({ name }) => name).slice(0, kept.length), kept, 'no migration of the release is gone, except those before the baseline')
    const variables = { ...env, DATA_DIR: dataDir }
    t.match(await parse(['migrate'], variables), { error: undefined })

    const [restored, migrated] = [await onDatabase(url, dataDir, catalogOf), await migratedCatalog(t)]
    restored['migrations'] = JSON.stringify(JSON.parse(restored['migrations'] as string).filter(({ name }: { name: string }) => !isReplaced(name)))
    for (const [what, expected] of Object.entries(migrated)) t.ok(uncast(restored[what]) === uncast(expected), `${what} as in a new database`)

    const app = await buildOn(t, await openDatabase(loadConfig(variables), 'refuse', url === undefined ? undefined : patientCheck()))
    const present = await answersOf(await logIn(app, 'director@demo.example'), await logIn(app, 'corporativo@demo.example'))
    const answers = JSON.parse(read(`${release}.json.gz`)) as Answers
    const lost = Object.entries(answers).flatMap(([url, answer]) => lostFrom(present[url], answer, url))
    t.strictSame(lost.filter(value => !corrected.some(({ path }) => path.test(value))), [])
    for (const { path, why } of corrected) t.ok(lost.some(value => path.test(value)), why)
  })
}

t.test('another value, and a lost field or record, are found, and a new field is not', (t) => {
  t.strictSame(lostFrom({ a: 1, b: [1], c: 3 }, { a: 1, b: [1] }, 'x'), [])
  t.strictSame(lostFrom({ a: 2, b: [] }, { a: 1, b: [1], c: null }, 'x'), ['x.a: 2 is not 1', 'x.b: 0 instead of 1', 'x.c: undefined is not null'])
  t.strictSame(lostFrom(undefined, { a: 1 }, 'x'), ['x.a: undefined is not 1'])
  t.end()
})
