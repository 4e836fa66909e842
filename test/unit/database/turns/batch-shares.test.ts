import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { batch } from '../../../../src/database/turns/batch.ts'
import { Crowded } from '../../../../src/database/turns/crowded.ts'
import { maxRowsOfCompany, readTurn } from '../../../../src/database/turns/read-turn.ts'
import { requestRows, type BatchQuery, type BatchRequest } from '../../../../src/database/turns/batch-requests.ts'
import { divideConnections } from '../../../../src/database/turns/shares.ts'
import type { Row, Sql, Statement } from '../../../../src/database/connection/sql.ts'
import { writeTurn } from '../../../../src/database/turns/write-turn.ts'
import { estimates } from '../../../../src/domain/estimates/resource.ts'
import { readPage } from '../../../../src/resources/reading/page.ts'
import { asCompany } from '../../../support/as-company.ts'
import { controlled } from './controlled-batch.ts'
import { outcome, recordedTurns } from './recorded-turns.ts'

t.test('of one key, a batch has its share; the requests of others do not wait for the rest', async (t) => {
  const share = { keyOf: (one: number) => one % 10, costOf: () => 100, maxCost: 300 }
  const { ask, runs } = controlled({ name: 'test', inFlight: 1, maxRequests: 100, patienceMs: Infinity, share })
  const answers = [101, 111, 121, 131, 141, 151, 161].map(ask)
  await nextTurn()
  answers.push(ask(102))
  for (let n = 0; n < 3; n++) {
    await nextTurn()
    runs[n]?.answer()
    await nextTurn()
  }
  await Promise.all(answers)
  t.same(runs.map(({ asks }) => asks), [[101, 111, 121], [131, 141, 151, 102], [161]])
})

t.test('only the key whose own requests wait too long is refused', async (t) => {
  const { ask, runs } = controlled({ name: 'test', inFlight: 1, maxRequests: 100, patienceMs: Infinity, refuseAfterMs: 30, share: { keyOf: one => one % 10, costOf: () => 1, maxCost: 1 } })
  const answers = [1, 11, 21].map(ask)
  await nextTurn()
  await sleep(40)
  await t.rejects(ask(31), new Crowded('too many requests wait for the database'))
  answers.push(ask(2))
  for (let n = 0; n < 3; n++) {
    runs[n]?.answer()
    await nextTurn()
    await nextTurn()
  }
  t.same(await Promise.all(answers), [10, 110, 210, 20])
})

t.test('a request whose deadline has passed is not repeated by itself', async (t) => {
  const runs: number[][] = []
  const ask = batch(async (asks: number[]) => {
    runs.push(asks)
    if (asks.length > 1) throw new Error('one of them')
    return asks
  }, { name: 'test', inFlight: 1, maxRequests: 10, isolates: () => true, deadlineOf: one => one === 2 ? performance.now() : undefined })
  const outcomes = await Promise.allSettled([1, 2, 3].map(ask))
  t.same(outcomes.map(({ status }) => status), ['fulfilled', 'rejected', 'fulfilled'])
  t.same(runs.slice(1), [[1], [3]])
})

const cancelled = () => Object.assign(new Error('canceling statement due to statement timeout'), { code: '57014' })

t.test('the read turn', async (t) => {
  const { psql, companies: [norte, sur, otra], sql, transactions } = await recordedTurns(t)
  await psql("create function test_costly(folio text) returns text language plpgsql as $$ begin if folio = 'COSTLY' then raise exception 'too slow' using errcode = '57014'; end if; return folio; end $$")
  const query: BatchQuery = { name: 'test costly', columns: [['folio', 'text']], text: `select q.i, q.company, test_costly(q.folio) as folio, current_setting('statement_timeout') as timeout from ${requestRows([['folio', 'text']])}` }
  const asked = (company: number, folio: string): BatchRequest => ({ query, company, values: [folio] })

  await t.test('that was cancelled is repeated one by one: only the costly request fails', async (t) => {
    const read = readTurn(sql, divideConnections(10))
    const answers = await Promise.all([asked(norte, 'A'), asked(norte, 'COSTLY'), asked(otra, 'B'), asked(sur, 'C')].map(async request => await outcome(read(request))))
    t.match(answers, [[{ folio: 'A' }], '57014', [{ folio: 'B' }], [{ folio: 'C' }]])
    t.same(transactions.map(({ companies }) => companies.length).sort(), [1, 1, 1, 1, 3])
    t.match(await read(asked(norte, 'D')), [{ folio: 'D', timeout: '2s' }], 'the next turn is common again')
  })

  await t.test('does without a company for a while after a read of more than a second', async (t) => {
    const slow: Sql = {
      ...sql,
      async within (companies, mode, statements, timeout) {
        if (!statements.some(({ values }) => (values[1] as string[]).includes('COSTLY'))) return await sql.within(companies, mode, statements, timeout)
        await sleep(timeout === 2000 ? 0 : 1100)
        throw cancelled()
      }
    }
    const read = readTurn(slow, divideConnections(10))
    t.same(await outcome(read(asked(norte, 'COSTLY'))), '57014')
    const answers = await Promise.all([asked(norte, 'A'), asked(otra, 'B'), asked(sur, 'C')].map(read))
    t.match(answers, [[{ folio: 'A' }], [{ folio: 'B' }], [{ folio: 'C' }]])
    t.same(transactions.map(({ companies }) => companies).sort(), [[norte], [sur, otra].sort((a, b) => a - b)].sort())
  })

  await t.test('has few pages of one company, and the others of another one', async (t) => {
    const read = readTurn(sql, divideConnections(10))
    const pages = Array.from({ length: 8 }, async (_, index) => await readPage(asCompany(read, norte), estimates, { page_size: 200 - index }, 'UTC'))
    await Promise.all([...pages, readPage(asCompany(read, otra), estimates, { page_size: 10 }, 'UTC')])
    t.equal(transactions.filter(({ companies }) => companies.includes(otra)).length, 1)
    t.ok(transactions.length >= 8 * 190 / maxRowsOfCompany, `${transactions.length} transactions`)
    t.ok(transactions[0]?.companies.includes(otra), 'it does not wait for all pages of the first')
  })
})

t.test('a write turn that was cancelled', async (t) => {
  const transactions: Array<{ companies: number[], values: unknown[], timeout: number | undefined }> = []
  const sql = {
    query: async () => [],
    async within (companies: number[], _mode: string, statements: Statement[], timeout?: number) {
      const values = statements.at(-1)?.values[1] as unknown[]
      transactions.push({ companies, values, timeout })
      if (values.includes('COSTLY')) throw cancelled()
      return statements.map(({ values }) => (values[0] as unknown[]).map((_, index): Row => ({ i: index + 1 })))
    }
  } as Sql
  const query: BatchQuery = { name: 'test', columns: [['folio', 'text']], text: 'test' }
  const write = writeTurn(sql, divideConnections(10))
  const answers = [['A', 1], ['COSTLY', 1], ['B', 1], ['C', 2], ['D', 3]].map(async ([folio, company]) => await outcome(write({ query, company: company as number, values: [folio] })))
  t.same(await Promise.all(answers), [[{ i: 1 }], '57014', [{ i: 1 }], [{ i: 1 }], [{ i: 1 }]], 'fails only for the costly request')
  const [first, ...repeated] = transactions
  t.same(first, { companies: [1, 2, 3], values: ['A', 'COSTLY', 'B', 'C', 'D'], timeout: 2500 })
  t.same(repeated.map(({ values, timeout }) => [values, timeout]).sort(), [
    [['A'], undefined], [['A', 'COSTLY', 'B'], 2500], [['B'], undefined], [['C'], undefined], [['COSTLY'], undefined], [['D'], undefined]
  ], 'is repeated by each company, and by this one one by one')
})

t.test('a timeout is that of the statements, not of the commit, which waits for replicas', async (t) => {
  const { psql, companies: [norte], sql } = await recordedTurns(t)
  await psql('create table test_seen (timeout text)')
  await psql('grant insert, select on test_seen to obra_app')
  await psql("create function test_see() returns trigger language plpgsql as $$ begin insert into test_seen values (current_setting('statement_timeout')); return null; end $$")
  await psql('create constraint trigger test_see after insert on contracts deferrable initially deferred for each row execute function test_see()')
  const [rows] = await sql.within([norte], 'read write', [{ text: "insert into contracts (company_id, folio) values ($1, 'T') returning current_setting('statement_timeout') as timeout", values: [norte] }], 2500)
  t.same(rows, [{ timeout: '2500ms' }])
  t.same(await psql('select timeout from test_seen'), [{ timeout: '15s' }])
})
