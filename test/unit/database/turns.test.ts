import pg from 'pg'
import t from 'tap'
import { divideConnections } from '../../../src/database/shares.ts'
import type { Row, Sql, Statement } from '../../../src/database/sql.ts'
import { requestRows, readTurn, type BatchQuery } from '../../../src/database/turns.ts'
import { writeTurn } from '../../../src/database/write-turn.ts'
import { openTestDatabase } from '../../support/helper.ts'
import { server } from '../../support/template.ts'

const columns: BatchQuery['columns'] = [['folio', 'text'], ['monto', 'numeric']]
const add: BatchQuery = {
  name: 'test add',
  columns,
  text: `
    with made as (insert into contracts (company_id, folio, monto) select company, folio, monto from ${requestRows(columns)} returning company_id, folio)
    select q.i, made.folio from ${requestRows(columns)} join made on made.company_id = q.company and made.folio = q.folio`
}
const byFolio: BatchQuery = { name: 'test by folio', columns: [['folio', 'text']], text: `select q.i, t.folio, t.company_id as company from ${requestRows([['folio', 'text']])} join contracts t on t.company_id = q.company and t.folio = q.folio` }
const count: BatchQuery = { name: 'test count', columns: [], text: `select q.i, (select count(*)::int from contracts t where t.company_id = q.company) as count from ${requestRows([])}` }

t.test('turns over the business data', async (t) => {
  const { database, psql, env } = await openTestDatabase(t)
  const [norte, sur, otra] = (await psql('select id from companies order by id')).map(({ id }) => id as number) as [number, number, number]
  const transactions: Array<{ companies: number[], mode: string, statements: Statement[] }> = []
  const failures: Error[] = []
  const sql: Sql = {
    ...database.sql,
    async within (companies, mode, statements) {
      transactions.push({ companies, mode, statements })
      const failure = failures.shift()
      if (failure !== undefined) throw failure
      return await database.sql.within(companies, mode, statements)
    }
  }
  t.beforeEach(() => { transactions.length = 0 })
  const outcome = async (answer: Promise<Row[]>) => await answer.catch((error: { code: string }) => error.code)

  await t.test('send one statement per kind of query, and admit only the callers\' companies', async (t) => {
    const read = readTurn(sql)
    const answers = await Promise.all([
      read({ query: byFolio, company: otra, values: ['OU-0003'] }), read({ query: count, company: norte, values: [] }),
      read({ query: byFolio, company: norte, values: ['OU-0003'] }), read({ query: byFolio, company: norte, values: ['ON-2026-001'] }),
      read({ query: count, company: otra, values: [] })
    ])
    t.match(answers, [[{ folio: 'OU-0003', company: otra }], [{ count: 60 }], [], [{ folio: 'ON-2026-001', company: norte }], [{ count: 25 }]])
    t.match(transactions, [{ companies: [norte, otra], mode: 'read only' }])
    t.same(transactions[0]?.statements.map(({ values }) => (values[0] as unknown[]).length), [3, 2])
  })

  await t.test('send equal queries of several callers once, each for its own company', async (t) => {
    const read = readTurn(sql)
    const ask = async (company: number, folio: string) => await read({ query: byFolio, company, values: [folio] })
    const answers = await Promise.all([ask(otra, 'OU-0003'), ask(norte, 'OU-0003'), ask(otra, 'OU-0003'), ask(norte, 'ON-2026-001'), ask(otra, 'OU-0003')])
    t.match(answers.map(rows => rows.map(({ folio }) => folio)), [['OU-0003'], [], ['OU-0003'], ['ON-2026-001'], ['OU-0003']])
    t.same(transactions[0]?.statements.map(({ values }) => values), [[[otra, norte, norte], ['OU-0003', 'OU-0003', 'ON-2026-001']]])
  })

  await t.test('send a repeated query again while the first answer is in flight', async (t) => {
    const { promise: held, resolve: release } = Promise.withResolvers<void>()
    const { promise: reached, resolve: reach } = Promise.withResolvers<void>()
    const read = readTurn({
      ...sql,
      async within (companies, mode, statements) {
        const rows = await sql.within(companies, mode, statements)
        reach()
        await held
        return rows
      }
    })
    const ask = async () => await read({ query: count, company: sur, values: [] })
    const first = ask()
    await reached
    await psql("insert into contracts (company_id, folio) values ($1, 'ENTRE')", [sur])
    const again = ask()
    release()
    const [[before], [after]] = await Promise.all([first, again])
    t.equal(after?.['count'], before?.['count'] + 1)
    await psql("delete from contracts where folio = 'ENTRE'")
  })

  await t.test('lock the companies in order before a write, and return each caller its own rows', async (t) => {
    const write = writeTurn(sql)
    const answers = await Promise.all([otra, norte, sur].map(async company => await write({ query: add, company, values: ['T-1', '5.00'] })))
    t.match(answers, [[{ folio: 'T-1' }], [{ folio: 'T-1' }], [{ folio: 'T-1' }]])
    t.equal(transactions.length, 1)
    t.same(transactions[0]?.companies, [norte, sur, otra])
    t.match(transactions[0]?.statements[0], { text: /lock_companies/, values: [[norte, sur, otra]] })
  })

  if (server !== undefined) {
    await t.test('answer the other writes in a turn with a locked company promptly, and keep them in common turns', async (t) => {
      const write = writeTurn(sql)
      const holder = new pg.Client({ connectionString: env['DATABASE_URL'] })
      await holder.connect()
      await holder.query('begin')
      await holder.query('select from company_revisions where company_id = $1 for update', [otra])
      const post = async (company: number, folio: string) => await write({ query: add, company, values: [folio, '1.00'] })
      const held = post(otra, 'L-1')
      t.match(await Promise.all([norte, sur].map(async company => await post(company, 'L-1'))), [[{ folio: 'L-1' }], [{ folio: 'L-1' }]])
      transactions.length = 0
      t.match(await Promise.all([norte, sur].map(async company => await post(company, 'L-2'))), [[{ folio: 'L-2' }], [{ folio: 'L-2' }]])
      t.same(transactions.filter(({ companies }) => !companies.includes(otra)).map(({ companies }) => companies), [[norte, sur]])
      await holder.query('rollback')
      t.match(await held, [{ folio: 'L-1' }])

      await holder.query('begin')
      await holder.query("select from contracts where company_id = $1 and folio = 'L-1' for update", [otra])
      transactions.length = 0
      const remove: BatchQuery = { name: 'test remove', columns: [['folio', 'text']], text: `with gone as (delete from contracts c using ${requestRows([['folio', 'text']])} where c.company_id = q.company and c.folio = q.folio returning i, c.folio) select * from gone` }
      const removals = [otra, norte, sur].map(async company => await write({ query: remove, company, values: ['L-1'] }))
      t.match(await Promise.all(removals.slice(1)), [[{ folio: 'L-1' }], [{ folio: 'L-1' }]], 'another locked row delays only its own company')
      t.same(transactions.filter(({ companies }) => companies.join() !== `${otra}`).map(({ companies }) => companies), [[norte, sur, otra], [norte], [sur]])
      await holder.query('rollback')
      await holder.end()
      t.match(await removals[0], [{ folio: 'L-1' }])
    })

    await t.test('do not make other companies wait for a locked one', async (t) => {
      const write = writeTurn(sql)
      const holder = new pg.Client({ connectionString: env['DATABASE_URL'] })
      await holder.connect()
      await holder.query('begin')
      await holder.query('select from company_revisions where company_id = $1 for update', [otra])
      const held = [1, 2].map(async n => await write({ query: add, company: otra, values: [`H-${n}`, '1.00'] }))
      t.match(await write({ query: add, company: norte, values: ['H-1', '1.00'] }), [{ folio: 'H-1' }], 'in the same turn')
      held.push(write({ query: add, company: otra, values: ['H-3', '1.00'] }))
      t.match(await write({ query: add, company: norte, values: ['H-2', '1.00'] }), [{ folio: 'H-2' }], 'later')
      t.same(await psql("select folio from contracts where company_id = $1 and folio ~ '^H'", [otra]), [])
      await holder.query('rollback')
      await holder.end()
      t.match(await Promise.all(held), [[{ folio: 'H-1' }], [{ folio: 'H-2' }], [{ folio: 'H-3' }]])
    })
  }

  await t.test('return data errors only to their writes; valid writes of the turn are kept', async (t) => {
    const write = writeTurn(sql)
    const answers = await Promise.all([['U-1', '1'], ['T-1', '1'], ['U-2', '-1'], ['U-3', '99999999999999999'], ['U-4', '2'], ['x'.repeat(65), '1']].map(async values => await outcome(write({ query: add, company: sur, values }))))
    t.match(answers, [[{ folio: 'U-1' }], '23505', '23514', '22003', [{ folio: 'U-4' }], '22001'])
    t.same((await psql("select folio from contracts where company_id = $1 and folio ~ '^U' order by 1", [sur])).map(({ folio }) => folio), ['U-1', 'U-4'])
    t.same(transactions.map(({ statements }) => (statements.at(-1)?.values[0] as unknown[]).length), [6, 1, 1, 1, 1, 1, 1])
  })

  await t.test('of a company with a unit of work are separate, and still share statements', async (t) => {
    const shares = divideConnections(10)
    const write = writeTurn(sql, shares)
    const answers = await shares.units.run(sur, Infinity, async () => await Promise.all([[sur, 'W-1'], [norte, 'W-1'], [sur, 'W-2'], [otra, 'W-1']].map(async ([company, folio]) => await write({ query: add, company: company as number, values: [folio, '1'] }))))
    t.match(answers, [[{ folio: 'W-1' }], [{ folio: 'W-1' }], [{ folio: 'W-2' }], [{ folio: 'W-1' }]])
    t.same(transactions.map(({ companies }) => companies).sort(), [[norte, otra], [sur]].sort())
  })

  await t.test('refuse a caller who has changed since authentication, and keep the other writes', async (t) => {
    const [found] = await psql("select u.id, u.nivel_acceso as account, u.customer_id as customer, u.company_id as company, c.customer_id as owner, m.nivel_acceso as membership from users u join companies c on c.id = u.company_id join memberships m on m.user_id = u.id and m.company_id = c.id where u.email = 'director@demo.example'") as [Row]
    const session = async (expiry: string) => (await psql('insert into sessions (id, user_id, expires_at) values (gen_random_uuid(), $1, now() + $2::interval) returning id', [found['id'], expiry]))[0]?.['id'] as string
    const caller = { company: norte, account: found['account'], customer: found['customer'], companyCustomer: found['owner'], membership: found['membership'] }
    const [live, ended] = [await session('1 hour'), await session('-1 second')]
    const callers = [
      { ...caller, sid: live },
      { ...caller, sid: ended },
      { ...caller, sid: live, membership: 2 },
      { ...caller, sid: live, account: 4 },
      { ...caller, sid: live, customer: null },
      { ...caller, sid: live, companyCustomer: 0 },
      { ...caller, sid: live, company: sur, membership: null },
      { ...caller, sid: '00000000-0000-0000-0000-000000000000' },
      { ...caller, sid: live }
    ]
    const write = writeTurn(sql)
    const answers = await Promise.all(callers.map(async (caller, n) => await outcome(write({ query: add, company: norte, values: [`C-${n}`, '1'], caller }))))
    t.match(answers, [[{ folio: 'C-0' }], 'OB001', 'OB001', 'OB001', 'OB001', 'OB001', 'OB001', 'OB001', [{ folio: 'C-8' }]])
    t.same((await psql("select folio from contracts where company_id = $1 and folio like 'C-_' order by 1", [norte])).map(({ folio }) => folio), ['C-0', 'C-8'])
    transactions.length = 0
    await Promise.all([1, 2, 3].map(async n => await write({ query: add, company: norte, values: [`D-${n}`, '1'], caller: callers[0] })))
    t.same(transactions.map(({ statements }) => statements.map(({ values }) => (values[0] as unknown[]).length)), [[1, 1, 3]], 'each session is checked once')
  })

  await t.test('are repeated as a whole after a deadlock, without an error', async (t) => {
    failures.push(Object.assign(new Error('deadlock'), { code: '40P01' }), Object.assign(new Error('serialization'), { code: '40001' }))
    const write = writeTurn(sql)
    const answers = await Promise.all(['V-1', 'V-2'].map(async folio => await write({ query: add, company: sur, values: [folio, '1'] })))
    t.match(answers, [[{ folio: 'V-1' }], [{ folio: 'V-2' }]])
    t.equal(transactions.length, 3)
  })

  await t.test('fail for all callers on a database error, without a retry', async (t) => {
    for (const code of ['57P01', '53300', '42501', 'ECONNRESET']) {
      transactions.length = 0
      failures.push(Object.assign(new Error(code), { code }))
      const read = readTurn(sql)
      t.same(await Promise.all([norte, otra].map(async company => await outcome(read({ query: count, company, values: [] })))), [code, code])
      t.equal(transactions.length, 1)
    }
  })

  await t.test('run an unnamed query separately, because it may be slow', async (t) => {
    const read = readTurn(sql)
    const { name, ...rare } = count
    const asks = [rare, count].flatMap(query => [norte, otra].map(company => ({ query, company, values: [] })))
    const answers = await Promise.all(asks.map(read))
    const counts = (await psql('select count(*)::int as n from contracts where company_id = any ($1) group by company_id order by company_id', [[norte, otra]])).map(({ n }) => [n])
    t.same(answers.map(rows => rows.map(row => row['count'])), [...counts, ...counts])
    t.same(transactions.map(({ statements }) => [statements[0]?.name === name, (statements[0]?.values[0] as unknown[]).length]).sort(), [[false, 1], [false, 1], [true, 2]])
  })

  await t.test('do not return a row of another company', async (t) => {
    const forgotten: BatchQuery = { name: 'test forgotten', columns: [], text: `select q.i, t.company_id as company from ${requestRows([])} cross join (select company_id from contracts limit 1) t` }
    const read = readTurn(sql)
    const answers = await Promise.allSettled([norte, otra].map(async company => await read({ query: forgotten, company, values: [] })))
    t.match(answers, [{ status: 'rejected', reason: { message: /^a row of company/ } }, { status: 'rejected' }])
  })

  await t.test('hold at most two hundred requests per transaction', async (t) => {
    const read = readTurn(sql)
    const answers = await Promise.all(Array.from({ length: 450 }, async (_, n) => await read({ query: count, company: [norte, sur, otra][n % 3] as number, values: [] })))
    t.ok(answers.every((rows, n) => rows.length === 1 && rows[0]?.['count'] === answers[n % 3]?.[0]?.['count']))
    t.ok(transactions.every(({ statements }) => (statements[0]?.values[0] as unknown[]).length <= 200))
    t.ok(transactions.length <= 5)
  })
})
