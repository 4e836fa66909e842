import t from 'tap'
import { readTurn, replicaReadTurn } from '../../../../src/database/turns/read-turn.ts'
import { requestRows, type BatchQuery } from '../../../../src/database/turns/batch-requests.ts'
import { divideConnections } from '../../../../src/database/turns/shares.ts'
import { outcome, recordedTurns } from './recorded-turns.ts'
import { None } from '../../../support/none.ts'

const byFolio: BatchQuery = { name: 'test by folio', columns: [['folio', 'text']], text: `select q.i, t.folio, t.company_id as company from ${requestRows([['folio', 'text']])} join contracts t on t.company_id = q.company and t.folio = q.folio` }
const count: BatchQuery = { name: 'test count', columns: [], text: `select q.i, (select count(*)::int from contracts t where t.company_id = q.company) as count from ${requestRows([])}` }

t.test('read turns over the business data', async (t) => {
  const { psql, companies: [norte, sur, otra], sql, transactions, failures } = await recordedTurns(t)

  await t.test('send one statement per kind of query, and admit only the callers\' companies', async (t) => {
    const read = readTurn(sql)
    const answers = await Promise.all([
      read({ query: byFolio, company: otra, values: ['OU-0003'] }), read({ query: count, company: norte, values: [] }),
      read({ query: byFolio, company: norte, values: ['OU-0003'] }), read({ query: byFolio, company: norte, values: ['ON-2026-001'] }),
      read({ query: count, company: otra, values: [] })
    ])
    t.match(answers, [[{ folio: 'OU-0003', company: otra }], [{ count: 60 }], None, [{ folio: 'ON-2026-001', company: norte }], [{ count: 25 }]])
    t.match(transactions, [{ companies: [norte, otra], mode: 'read only' }])
    t.same(transactions[0]?.statements.map(({ values }) => (values[0] as unknown[]).length), [3, 2])
  })

  await t.test('send equal queries of several callers once, each for its own company', async (t) => {
    const read = readTurn(sql)
    const ask = async (company: number, folio: string) => await read({ query: byFolio, company, values: [folio] })
    const answers = await Promise.all([ask(otra, 'OU-0003'), ask(norte, 'OU-0003'), ask(otra, 'OU-0003'), ask(norte, 'ON-2026-001'), ask(otra, 'OU-0003')])
    t.match(answers.map(rows => rows.map(({ folio }) => folio)), [['OU-0003'], None, ['OU-0003'], ['ON-2026-001'], ['OU-0003']])
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

  await t.test('of a replica answer only at exactly the revision of the request, and begin no slow query at another one', async (t) => {
    const read = replicaReadTurn(sql, divideConnections(4))
    const slow = { ...count, name: undefined, text: `${count.text} -- slow` }
    const [{ revision, stamp }] = await psql('select revision, stamp from company_revisions where company_id = $1', [norte]) as [{ revision: number, stamp: number }]
    for (const query of [count, slow]) {
      t.match(await read({ query, company: norte, values: [], at: { revision, stamp } }), [{ count: 60 }])
      for (const at of [{ revision: revision - 1, stamp }, { revision: revision + 1, stamp }, { revision, stamp: stamp + 1 }, undefined]) t.equal(await read({ query, company: norte, values: [], at }), undefined, JSON.stringify(at))
    }
    t.equal(transactions.filter(({ statements }) => statements.some(({ text }) => text === slow.text)).length, 1)
    t.same([...new Set(transactions.filter(({ statements }) => statements.length > 1).map(({ mode }) => mode))], ['isolation level repeatable read, read only'])
  })

  await t.test('hold at most two hundred requests per transaction', async (t) => {
    const read = readTurn(sql)
    const answers = await Promise.all(Array.from({ length: 450 }, async (_, n) => await read({ query: count, company: [norte, sur, otra][n % 3], values: [] })))
    t.ok(answers.every((rows, n) => rows.length === 1 && rows[0]?.['count'] === answers[n % 3]?.[0]?.['count']))
    t.ok(transactions.every(({ statements }) => (statements[0]?.values[0] as unknown[]).length <= 200))
    t.ok(transactions.length <= 5)
  })
})
