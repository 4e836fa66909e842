import t from 'tap'
import { analyzeGrown } from '../../../src/database/connection/statistics.ts'
import type { Sql, Statement } from '../../../src/database/connection/sql.ts'
import { build, type Client, type TestDatabase } from '../../support/helper.ts'
import { server } from '../../support/template.ts'
import { until } from '../../support/until.ts'
import { forgetStatistics } from '../../support/visited.ts'

const none = { analyzed: 0, cancelled: [] }

const pagesOf = async (psql: TestDatabase['psql'], table: string): Promise<number> => (await psql(`select relpages as pages from pg_class where oid = '${table}'::regclass`))[0]?.['pages']

async function grow (client: Client, from: number, records: number): Promise<void> {
  const items = Array.from({ length: records }, (_, index) => ({ folio: `ERP-${from + index}` }))
  const { statusCode, body } = await client.post('contracts/bulk/', { items })
  if (statusCode !== 201) throw new Error(body)
}

t.test('tables are analyzed when their size has doubled since the last time', async (t) => {
  const { database: { sql }, psql, as } = await build(t)
  const client = await as('director@demo.example')
  await forgetStatistics(psql)
  const count = async () => (await psql("select n_distinct from pg_stats where tablename = 'contracts' and attname = 'folio'"))[0]?.['n_distinct']
  await analyzeGrown(sql, 10)
  t.equal(await pagesOf(psql, 'contracts'), 0, 'a small table is not analyzed')
  t.strictSame(await analyzeGrown(sql, 10), none, 'the large ones are')

  await grow(client, 0, 1000)
  t.ok((await analyzeGrown(sql, 10)).analyzed >= 2, 'contracts and changes')
  const pages = await pagesOf(psql, 'contracts')
  t.ok(pages > 8)
  t.equal(await count(), -1, 'each folio is another one')
  t.strictSame(await analyzeGrown(sql, 10), none, 'nothing has changed')

  await grow(client, 1000, 300)
  t.strictSame(await analyzeGrown(sql, 10), none)
  t.equal(await pagesOf(psql, 'contracts'), pages, 'a third more is not enough')
  await grow(client, 1300, 1000)
  t.ok((await analyzeGrown(sql, 10)).analyzed > 0)
  t.ok(await pagesOf(psql, 'contracts') > 2 * pages)
})

t.test('a table that another session analyzes is left to it', { skip: server === undefined && 'the embedded database has one session' }, async (t) => {
  const { database: { sql }, psql, as } = await build(t)
  await forgetStatistics(psql)
  await grow(await as('director@demo.example'), 0, 1000)
  await psql('begin')
  await psql('lock table contracts in share update exclusive mode')
  await analyzeGrown(sql, 10)
  t.equal(await pagesOf(psql, 'contracts'), 0)
  t.ok(await pagesOf(psql, 'changes') > 0, 'the tables after it are analyzed')
  await psql('rollback')
})

/** Makes the analysis of contracts slow while a table `slow` exists. */
async function addWait (psql: TestDatabase['psql']): Promise<void> {
  await psql("create function wait_if_slow(id bigint) returns bigint language plpgsql immutable as $$ begin if to_regclass('public.slow') is not null then perform pg_sleep(0.01); end if; return id; end $$")
  await psql('create index on contracts (wait_if_slow(id))')
}

t.test('an analysis that the database cancels keeps no other table from its own', { skip: server === undefined && 'the embedded database cancels no statement' }, async (t) => {
  const { psql, as } = await build(t)
  await addWait(psql)
  await forgetStatistics(psql)
  await grow(await as('director@demo.example'), 0, 1000)
  await psql('create table slow ()')
  await psql("set statement_timeout = '1s'")
  const sql = { query: async ({ text, values }: Statement) => await psql(text, values) } as Sql
  const { analyzed, cancelled } = await analyzeGrown(sql, 10)
  t.strictSame(cancelled, ['contracts'])
  t.ok(analyzed > 0)
  t.equal(await pagesOf(psql, 'contracts'), 0)
  t.ok(await pagesOf(psql, 'changes') > 0, 'the tables after it are analyzed')
  await psql('drop table slow')
  t.strictSame(await analyzeGrown(sql, 10), { analyzed: 1, cancelled: [] }, 'the next attempt succeeds')
})

t.test('after a shutdown has begun, no further table is analyzed', async (t) => {
  const { database: { sql }, psql, as } = await build(t)
  await forgetStatistics(psql)
  await grow(await as('director@demo.example'), 0, 1000)
  const shutdown = new AbortController()
  const counting = { ...sql, query: async <R extends object>(statement: Statement<R>) => await sql.query(statement).finally(() => shutdown.abort()) }
  t.strictSame(await analyzeGrown(counting, 10, shutdown.signal), { analyzed: 1, cancelled: [] })
  t.strictSame(await analyzeGrown(counting, 10, shutdown.signal), none)
  t.ok((await analyzeGrown(sql, 10)).analyzed > 0, 'there are more')
})

t.test('a server analyzes tables at the start and after writes', async (t) => {
  const { app, psql, as } = await build(t)
  const client = await as('director@demo.example')
  await forgetStatistics(psql)
  await grow(client, 0, 1000)
  await app.listen({ host: '127.0.0.1', port: 0 })
  await until(async () => await pagesOf(psql, 'contracts') > 0)
  const pages = await pagesOf(psql, 'contracts')
  await grow(client, 1000, 1000)
  await grow(client, 2000, 500)
  await until(async () => await pagesOf(psql, 'contracts') > 2 * pages)
  t.pass('both times')
})
