import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import t, { type Test } from 'tap'
import { openDatabaseAt, openOrm } from '../../../../src/server/open-database.ts'
import { openEmbedded } from '../../../../src/database/connection/embedded.ts'
import { isUnavailable } from '../../../../src/database/connection/sql-errors.ts'
import { nodeOptions, root, run, withoutTap } from '../../../support/process.ts'
import { embeddedFolder, lendEmbedded, server } from '../../../support/template.ts'

const module = join(import.meta.dirname, '../../../../src/database/connection/embedded.ts')

/** Opens the folder in another process. @returns the process and its first line: `open`, or the error */
async function openElsewhere (dataDir: string) {
  const child = spawn(...withoutTap(process.execPath, [...nodeOptions, '--input-type=module-typescript', '-e', `
    import { openEmbedded } from ${JSON.stringify(module)}
    try {
      const { pglite } = await openEmbedded(${JSON.stringify(dataDir)})
      await pglite.exec('create table if not exists kept (id int); insert into kept values (1)')
      console.log('open')
      setInterval(() => {}, 1000)
    } catch (error) {
      console.log(error.message)
    }`]), { stdio: ['ignore', 'pipe', 'inherit'] })
  const [line] = await once(child.stdout, 'data')
  return { child, line: String(line).trim() }
}

/** The lock of the folder lasts until its process ends, for any reason. */
async function oneAtATime (t: Test): Promise<void> {
  const dataDir = join(t.testdir(), 'data')
  mkdirSync(dataDir)
  await embeddedFolder(join(dataDir, 'pglite'))
  const held = { message: `the embedded database in ${dataDir} is open in another process: stop that process, set another DATA_DIR, or use DATABASE_URL` }

  const holder = await openElsewhere(dataDir)
  t.teardown(() => holder.child.kill('SIGKILL'))
  t.equal(holder.line, 'open')
  await t.rejects(openEmbedded(dataDir), held)
  await t.rejects(openEmbedded(dataDir), held, 'an attempt does not break the lock')

  holder.child.kill('SIGKILL')
  await once(holder.child, 'exit')
  const own = await openEmbedded(dataDir)
  t.same((await own.pglite.query('select * from kept')).rows, [{ id: 1 }], 'the lock ends with its process, the data does not')

  await t.rejects(openEmbedded(dataDir), held, 'a second open in one process is refused too')
  const late = await openElsewhere(dataDir)
  t.equal(late.line, held.message)
  await own.close()
}

if (server === undefined) t.test('the embedded database belongs to one process at a time', oneAtATime)

t.test('a damaged folder is refused with the way to restore', async (t) => {
  for (const lost of ['global/pg_control', 'pg_wal', 'pg_xact']) {
    const dataDir = t.testdir()
    await embeddedFolder(join(dataDir, 'pglite'))
    const path = join(dataDir, 'pglite', lost)
    if (lost.includes('/')) rmSync(path)
    else for (const file of readdirSync(path, { withFileTypes: true })) if (file.isFile()) rmSync(join(path, file.name))
    const { message } = await openEmbedded(dataDir).then(() => ({ message: 'open' }), (error: Error) => error)
    t.ok(message.startsWith(`the embedded database in ${dataDir} cannot be opened (`), `${lost}: ${message}`)
    t.ok(message.endsWith('Its files are damaged or incomplete: set a new DATA_DIR, restore a backup with `obra restore`, and keep this folder until the restored data is complete'))
    t.notMatch(message, /\n/)
  }
})

t.test('a folder that cannot be opened does not stay locked', async (t) => {
  const dataDir = t.testdir({ pglite: { PG_VERSION: '9\n' } })
  await t.rejects(openEmbedded(dataDir))
  const second = await openEmbedded(dataDir).then(() => '', (error: Error) => error.message)
  t.notMatch(second, /open in another process/)
})

/** Opens an empty database in memory. @returns its pool, and a function that opens another one */
async function openEmpty (t: Test) {
  const pglite = await lendEmbedded(t, 'empty')
  const connect = async () => {
    const orm = await openOrm(pglite, 'owner')
    t.teardown(async () => await orm.close(true))
    return await orm.em.getConnection().getNativeClient()
  }
  return { pool: await connect(), connect }
}

t.test('the PostgreSQL driver reads values and arrays, pipelines, and stays in sync after errors', async (t) => {
  const { pool } = await openEmpty(t)
  const { rows } = await pool.query("select array[1, null, 3] as numbers, array['a', 'b c'] as texts, array[1::int8] as counts, array[date '2026-01-31'] as days, 1.50 as amount")
  t.strictSame(rows, [{ numbers: [1, null, 3], texts: ['a', 'b c'], counts: [1], days: ['2026-01-31'], amount: '1.50' }])

  const client = await pool.connect()
  const outcomes = async (...texts: string[]) => (await Promise.allSettled(texts.map(async text => await client.query({ text, values: [] }))))
    .map(outcome => outcome.status === 'fulfilled' ? outcome.value.rows[0] ?? null : (outcome.reason as Error).message)
  const aborted = 'current transaction is aborted, commands ignored until end of transaction block'
  t.same(await outcomes('begin', 'select 1 as a', 'select 1 / 0', 'select 2 as b', 'commit', 'select 3 as c'), [null, { a: 1 }, 'division by zero', aborted, null, { c: 3 }])
  t.same(await outcomes('begin', 'select 1 / 0'), [null, 'division by zero'])
  client.release(true)
  t.same((await pool.query('select 4 as d')).rows, [{ d: 4 }], 'a new connection starts with a clean session')
})

t.test('answers do not stay in memory', async (t) => {
  const { pool } = await openEmpty(t)
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const heapAfter = async () => {
    for (let query = 0; query < 20; query++) await pool.query('select n from generate_series(1, 5000) n')
    collect()
    return process.memoryUsage().heapUsed / 2 ** 20
  }
  const before = await heapAfter()
  const growth = await heapAfter() - before
  t.ok(growth < 10, `${growth} MiB after 100,000 rows`)
})

t.test('a second connection never takes the session from a transaction', async (t) => {
  const { pool, connect } = await openEmpty(t)
  const other = await connect()
  await pool.query('create table kept (n int)')
  t.same((await other.query('select count(*) from kept')).rows, [{ count: 0 }], 'an idle connection gives way')

  const client = await pool.connect()
  await client.query('begin')
  await client.query('insert into kept values (1)')
  const refusal = await other.query('select 1').then(() => undefined, (error: Error) => error)
  t.match(refusal, { message: 'the embedded database has one session, which is in use', code: '53300' })
  t.ok(isUnavailable(refusal))
  await client.query('commit')
  client.release()
  t.same((await other.query('select n from kept')).rows, [{ n: 1 }])
  t.same((await pool.query('select n from kept')).rows, [{ n: 1 }], 'the first pool opens a new connection')
})

t.test('an SQL error keeps the connection', async (t) => {
  const { sql, close } = await openDatabaseAt(await lendEmbedded(t, 'demo'), 1)
  t.teardown(close)
  const prepared = async () => await sql.query({ text: 'select name from pg_prepared_statements', values: [] })
  await sql.query({ name: 'one', text: 'select 1', values: [] })
  await t.rejects(sql.query({ text: 'select 1 / 0', values: [] }), /division by zero/)
  t.same(await prepared(), [{ name: 'one' }])
})

t.test('when the database exits, statements fail as unavailable and the process ends', async (t) => {
  const script = `
    import { openOrm } from '${root}/src/server/open-database.ts'
    import { isUnavailable } from '${root}/src/database/connection/sql-errors.ts'
    import { embeddedCopy } from '${root}/test/support/template.ts'
    const orm = await openOrm(await embeddedCopy('empty'), 'owner')
    const fails = async text => await orm.em.execute(text).catch(error => console.log(isUnavailable(error)))
    process.once('uncaughtException', async error => {
      await fails('select 1')
      throw error
    })
    await fails('copy pg_class from stdin')`
  const { code, stdout, stderr } = await run(t, process.execPath, ['--input-type=module-typescript', '-e', script])
  t.same({ code, stdout }, { code: 1, stdout: 'true\ntrue\n' })
  t.match(stderr, 'the embedded database has exited')
})
