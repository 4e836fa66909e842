import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { endSessionLock, keyNumbers, lockFor, lockSpaces, sessionLock, tryLock, withKeyLock } from '../../../../src/database/connection/advisory-locks.ts'
import { Transaction } from '../../../../src/database/connection/postgres-sql.ts'
import type { Row, Statement } from '../../../../src/database/connection/sql.ts'
import type { Database } from '../../../../src/database/database.ts'
import { build, secret } from '../../../support/helper.ts'

const root = join(import.meta.dirname, '../../../..')
const held = "select classid::bigint as space, objid::bigint as number, objsubid as numbers from pg_locks where locktype = 'advisory' and pid = pg_backend_pid() and granted"
const signed = (number: number) => number | 0

async function inTransaction (database: Database, work: (run: (statement: Statement) => Promise<Row[]>) => Promise<void>): Promise<void> {
  const { transaction } = await Transaction.begin(database, [])
  try {
    await work(async statement => (await transaction.send([statement]))[0])
  } finally {
    await transaction.end()
  }
}

t.test('each purpose has a space of its own', async (t) => {
  const spaces = Object.values(lockSpaces)
  t.equal(new Set(spaces).size, spaces.length)
  t.ok(spaces.every(space => space > 0 && space === signed(space)), 'each is an int of PostgreSQL')
})

t.test('statements take advisory locks in one file only, and functions of the database only in a space of theirs', async (t) => {
  const users = globSync('{src,plugins,routes}/**/*.ts', { cwd: root }).filter(file => !file.startsWith('src/database/migrations/') && /pg_(try_)?advisory/.test(readFileSync(join(root, file), 'utf8')))
  t.strictSame(users, ['src/database/connection/advisory-locks.ts'])

  const { psql } = await build(t)
  const functions = await psql("select proname as name, prosrc as source from pg_proc where prosrc ~ 'advisory' and pronamespace <> 'pg_catalog'::regnamespace order by proname")
  t.strictSame(functions.map(({ name }) => name), ['drop_search_of', 'index_changes', 'keep_search_of'])
  for (const { name, source } of functions as Array<{ name: string, source: string }>) {
    t.strictSame([...source.matchAll(/advisory\w*\(x'(\w+)'::int, 0\)/g)].map(([, space]) => Number.parseInt(space, 16)), [lockSpaces.search], name)
    t.equal(source.match(/advisory/g)?.length, 1, name)
  }
})

t.test('no text of a caller reaches another space than that of keys', async (t) => {
  const { app, database } = await build(t)
  await inTransaction(database, async (run) => {
    const names = ['', 'a', 'x'.repeat(255), '"quoted"', '日本語', ...Array.from({ length: 200 }, (_, n) => `clave ${n}`)]
    for (const key of names) t.equal((await run(withKeyLock({ text: 'select 1', values: [] }, app.keyNumber(key)))).length, 1)
    const locks = await run({ text: held, values: [] })
    t.equal(locks.length, names.length)
    t.ok(locks.every(({ space, numbers }) => space === lockSpaces.idempotencyKeys && numbers === 2))
  })
})

t.test('a lock number cannot be derived without the secret, and is the same in all processes', async (t) => {
  const { app, database } = await build(t)
  const name = '[7,1,"2:4","/api/v1/contracts/","k"]'
  t.equal(app.keyNumber(name), keyNumbers(secret)(name))
  t.not(app.keyNumber(name), keyNumbers('another secret of the tests, 32 bytes')(name))
  const [{ hash }] = await database.sql.query({ text: 'select hashtextextended($1, 0)::text as hash', values: [name] }) as [{ hash: string }]
  t.not(BigInt.asIntN(32, BigInt(hash)), BigInt(app.keyNumber(name)))
})

t.test('the lock of accounts, of the purge, of migrations, of the login and of the demo', async (t) => {
  const { database } = await build(t)
  const purposes = ['accounts', 'purge', 'migrations', 'login', 'reservation', 'demo'] as const
  await inTransaction(database, async (runStatement) => {
    const run = async (text: string) => await runStatement({ text, values: [] })
    for (const purpose of purposes) {
      await run(lockFor(purpose).text)
      t.strictSame(await run(`select ${tryLock(purpose)} as mine`), [{ mine: true }], 'a transaction can take its own lock again')
      await run(sessionLock(purpose))
      await run(endSessionLock(purpose))
    }
    const locks = (await run(held)).filter(({ numbers }) => numbers === 2)
    t.strictSame(locks.map(({ space }) => space).sort(), purposes.map(purpose => lockSpaces[purpose]).sort())
    t.ok(locks.every(({ number }) => number === 0))
  })
})
