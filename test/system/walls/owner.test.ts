import { execFile, spawnSync } from 'node:child_process'
import { promisify } from 'node:util'
import pg from 'pg'
import t, { type Test } from 'tap'
import { loadConfig } from '../../../src/config.ts'
import { openDatabase } from '../../../src/server/open-database.ts'
import { buildOn, logIn } from '../../support/helper.ts'
import { createLogin, setUp, urlAs } from '../../support/login.ts'
import { passedOver } from '../../support/missing.ts'
import { patientCheck } from '../../support/patient-check.ts'
import { startPgBouncer, withoutPgBouncer } from '../../support/pgbouncer.ts'
import { demoPlace } from '../../support/process.ts'
import { databaseUrl, onServer, server } from '../../support/template.ts'
import { parse } from '../../unit/cli/parse.ts'

const execute = promisify(execFile)

const withoutPrograms = server === undefined
  ? 'the embedded database has no logins'
  : passedOver(['psql', 'pg_dump'].some(program => spawnSync(program, ['--version']).status !== 0) && 'psql and pg_dump are not installed')

/** A database whose owner is a login of its own. @returns its name, and the owner's URL */
async function ownedDatabase (t: Test, attributes: string): Promise<{ name: string, owner: string, url: string }> {
  const { env } = await demoPlace(t)
  const name = new URL(env['DATABASE_URL']).pathname.slice(1)
  const owner = await createLogin(t, attributes)
  await onServer(async client => await client.query(`alter database ${name} owner to ${owner}; grant obra_app to ${owner}`))
  const superuser = new pg.Client({ connectionString: databaseUrl(name) })
  await superuser.connect()
  await superuser.query(`
    do $$ declare found record; begin
      for found in select oid::regclass as name from pg_class where relkind = 'r' and relnamespace in ('public'::regnamespace, 'search'::regnamespace) loop
        execute format('alter table %s owner to ${owner}', found.name);
      end loop;
    end $$; grant all on schema public, search to ${owner}`)
  await superuser.end()
  // Without the owned objects, the role can be dropped before the database.
  t.teardown(async () => await onServer(async client => await client.query(`drop database ${name} with (force)`)))
  return { name, owner, url: urlAs(owner, env['DATABASE_URL']) }
}

/** What the owner's own programs see. */
async function seen (url: string): Promise<{ user: string, contracts: number, timeout: string, dumped: number }> {
  const { stdout } = await execute('psql', ['--no-psqlrc', '--tuples-only', '--no-align', '--command', "select current_user, (select count(*) from contracts), current_setting('statement_timeout'), (select count(*) from search_resources)", url])
  const [user = '', contracts, timeout = ''] = stdout.trim().split('|')
  const dump = await execute('pg_dump', ['--table=contracts', '--table=search_resources', '--data-only', url], { maxBuffer: 2 ** 28 })
  return { user, contracts: Number(contracts), timeout, dumped: [...dump.stdout.matchAll(/^\d+\t.*\b(ON|OS|OU)-\d+/gm)].length }
}

const rows = 85

for (const [kind, attributes] of [['superuser', 'superuser'], ['owner that bypasses policies', 'createrole bypassrls']] as const) {
  t.test(`psql and pg_dump of the ${kind} see everything after obra migrate, while servers with the same login act as the service`, { skip: withoutPrograms }, async (t) => {
    const { owner, url } = await ownedDatabase(t, attributes)
    const all = { user: owner, contracts: rows, timeout: '0', dumped: rows }
    const { out, error } = await parse(['migrate'], { DATABASE_URL: url })
    t.equal(error, undefined)
    t.match(out, /^nothing to migrate\n/)
    t.notMatch(out, 'set up the login')
    t.same(await seen(url), all)

    const database = await openDatabase(loadConfig({ DATABASE_URL: url, DATABASE_POOL: '4' }), 'refuse', patientCheck())
    const app = await buildOn(t, database)
    t.same(await database.sql.query({ text: "select current_user::text as role, current_setting('statement_timeout') as timeout, (select count(*)::int from contracts) as rows", values: [] }), [{ role: 'obra_app', timeout: '15s', rows: 0 }])
    const director = await logIn(app, 'director@demo.example')
    t.equal((await director.get('contracts/')).json().count, 60)
    t.equal((await director.post('contracts/', { folio: 'OWNER-1' })).statusCode, 201)
    t.match(await seen(url), { user: owner, contracts: rows + 1, timeout: '0' })
    const { findings } = JSON.parse((await parse(['doctor', '--json'], { DATABASE_URL: url })).out)
    t.match(findings.filter(({ check }: { check: string }) => check === 'login'), [{ outcome: 'ok', message: `connections as the owner ${owner} take the role and the settings themselves` }])
  })
}

t.test('obra migrate restores an owner that an earlier release changed, but not under its servers, and keeps the own settings', { skip: withoutPrograms }, async (t) => {
  const { name, owner, url } = await ownedDatabase(t, 'superuser')
  const ownersOnly = { user: owner, contracts: rows, timeout: '1h' }
  const servers = await createLogin(t)
  await setUp(owner, name)
  await onServer(async client => await client.query(`alter role ${owner} in database ${name} set statement_timeout = '1h'`))
  await t.rejects(seen(url), { message: /permission denied for table search_resources/ })
  const { findings } = JSON.parse((await parse(['doctor', '--json'], { DATABASE_URL: url })).out)
  t.match(findings.filter(({ check }: { check: string }) => check === 'login'), [{ outcome: 'warning', message: `psql and pg_dump of the owner ${owner} act as obra_app: run \`obra migrate\` as ${owner}` }])

  const earlier = new pg.Client({ connectionString: url })
  await earlier.connect()
  t.match(await parse(['migrate'], { DATABASE_URL: url }), { error: undefined, err: new RegExp(`^psql and pg_dump of ${owner} still act as obra_app, because servers of an earlier release use this login: run \`obra migrate\` again`) })
  await t.rejects(seen(url))
  await earlier.end()
  t.match(await parse(['migrate', '--login', servers], { DATABASE_URL: url }), { error: undefined, out: `nothing to migrate\nset up the login ${servers}\nrestored the settings of the owner ${owner}\n`, err: '' })
  t.match(await seen(url), ownersOnly)
  t.match(await parse(['migrate'], { DATABASE_URL: url }), { error: undefined, out: 'nothing to migrate\n', err: '' }, 'once')
  t.match(await seen(url), ownersOnly)

  const [{ role }] = (await asLogin(urlAs(servers, url), 'select current_user::text as role')) as [{ role: string }]
  t.equal(role, 'obra_app', 'the login of the servers keeps the role')
})

async function asLogin (url: string, text: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}

t.test("behind PgBouncer in session mode an owner's servers act as the service, and the next client as the owner", { skip: withoutPgBouncer }, async (t) => {
  const { owner, url } = await ownedDatabase(t, 'superuser')
  const through = await startPgBouncer(t, url, { default_pool_size: '1' })
  const database = await openDatabase(loadConfig({ DATABASE_URL: through, DATABASE_POOL: '4' }), 'refuse', patientCheck())
  const session = "select current_user::text as role, (select count(*)::int from contracts) as rows, pg_backend_pid() as pid, current_setting('lock_timeout') as lock"
  const [served] = await database.sql.query({ text: session, values: [] })
  t.match(served, { role: 'obra_app', rows: 0, lock: '100ms' })
  await database.close()
  t.same(await asLogin(through, session), [{ role: owner, rows, pid: served?.['pid'], lock: '0' }])
})
