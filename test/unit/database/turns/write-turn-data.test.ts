import t from 'tap'
import { divideConnections } from '../../../../src/database/turns/shares.ts'
import { requestRows, type BatchQuery } from '../../../../src/database/turns/batch-requests.ts'
import { writeTurn } from '../../../../src/database/turns/write-turn.ts'
import type { Row } from '../../../../src/database/connection/sql.ts'
import { openSession } from '../../../support/session.ts'
import { server } from '../../../support/template.ts'
import { outcome, recordedTurns } from './recorded-turns.ts'

const columns: BatchQuery['columns'] = [['folio', 'text'], ['monto', 'numeric']]
const add: BatchQuery = {
  name: 'test add',
  columns,
  text: `
    with made as (insert into contracts (company_id, folio, monto) select company, folio, monto from ${requestRows(columns)} returning company_id, folio)
    select q.i, made.folio from ${requestRows(columns)} join made on made.company_id = q.company and made.folio = q.folio`
}

t.test('write turns over the business data', async (t) => {
  const { psql, env, database, companies: [norte, sur, otra], sql, transactions, failures } = await recordedTurns(t)

  await t.test('lock the companies in order before a write, and return each caller its own rows', async (t) => {
    const write = writeTurn(sql)
    const answers = await Promise.all([otra, norte, sur].map(async company => await write({ query: add, company, values: ['T-1', '5.00'] })))
    t.match(answers, [[{ folio: 'T-1' }], [{ folio: 'T-1' }], [{ folio: 'T-1' }]])
    t.equal(transactions.length, 1)
    t.same(transactions[0]?.companies, [norte, sur, otra])
    t.match(transactions[0]?.statements[0], { text: /lock_companies/, values: [[norte, sur, otra]] })
  })

  await t.test('run the follow-ups of all requests in the same transaction, and one that throws fails only its request', async (t) => {
    const write = writeTurn(sql)
    const following = (company: number, follow: (rows: Row[]) => string) => ({
      query: add, company, values: ['F-1', '5.00'], followUp: (rows: Row[]) => ({ query: add, company, values: [follow(rows), '6.00'] })
    })
    const next = ([made]: Row[]) => `${made?.['folio']}-NEXT`
    const folios = async () => (await psql("select company_id as company, folio from contracts where folio like 'F-1%' order by company_id, folio")).map(({ company, folio }) => [company, folio])
    t.match(await Promise.all([write(following(norte, next)), write(following(sur, next))]), [[{ folio: 'F-1' }], [{ folio: 'F-1' }]])
    t.equal(transactions.length, 1)
    t.strictSame(await folios(), [norte, sur].flatMap(company => [[company, 'F-1'], [company, 'F-1-NEXT']]))
    await psql("delete from contracts where folio like 'F-1%'")

    const connections = database.pool.totalCount
    const failing = write(following(sur, () => { throw new TypeError('no answer') }))
    const others = [write(following(norte, next)), write({ query: add, company: otra, values: ['F-1', '5.00'] })]
    await t.rejects(failing, { name: 'Error', cause: { name: 'TypeError', message: 'no answer' } })
    t.match(await Promise.all(others), [[{ folio: 'F-1' }], [{ folio: 'F-1' }]])
    t.strictSame(await folios(), [[norte, 'F-1'], [norte, 'F-1-NEXT'], [otra, 'F-1']].sort(([a], [b]) => Number(a) - Number(b)))
    t.strictSame([database.pool.idleCount, database.pool.totalCount], [connections, connections], 'no connection is kept or closed')
    await psql("delete from contracts where folio like 'F-1%'")

    const shares = divideConnections(4)
    shares.locked.set(sur, performance.now())
    const own = writeTurn(sql, shares)
    transactions.length = 0
    const refused = own(following(sur, () => { throw new TypeError('no answer') }))
    const kept = own({ query: add, company: sur, values: ['F-1-OWN', '5.00'] })
    await t.rejects(refused, { cause: { message: 'no answer' } })
    t.match(await kept, [{ folio: 'F-1-OWN' }])
    t.equal(transactions.length, 3, 'both together, then each by itself, in the turns of the company')
    t.strictSame(await folios(), [[sur, 'F-1-OWN']])
  })

  if (server !== undefined) {
    /** Locks rows of `otra` in another session. @returns a function that releases them */
    const hold = async (statement: string) => {
      const client = await openSession(t, env)
      await client.query('begin')
      await client.query(statement, [otra])
      return async () => await client.query('rollback')
    }

    await t.test('answer the other writes in a turn with a locked company promptly, and keep them in common turns', async (t) => {
      const write = writeTurn(sql)
      const release = await hold('select from company_revisions where company_id = $1 for update')
      const post = async (company: number, folio: string) => await write({ query: add, company, values: [folio, '1.00'] })
      const held = post(otra, 'L-1')
      t.match(await Promise.all([norte, sur].map(async company => await post(company, 'L-1'))), [[{ folio: 'L-1' }], [{ folio: 'L-1' }]])
      transactions.length = 0
      t.match(await Promise.all([norte, sur].map(async company => await post(company, 'L-2'))), [[{ folio: 'L-2' }], [{ folio: 'L-2' }]])
      t.same(transactions.filter(({ companies }) => !companies.includes(otra)).map(({ companies }) => companies), [[norte, sur]])
      await release()
      t.match(await held, [{ folio: 'L-1' }])

      const releaseRow = await hold("select from contracts where company_id = $1 and folio = 'L-1' for update")
      transactions.length = 0
      const remove: BatchQuery = { name: 'test remove', columns: [['folio', 'text']], text: `with gone as (delete from contracts c using ${requestRows([['folio', 'text']])} where c.company_id = q.company and c.folio = q.folio returning i, c.folio) select * from gone` }
      const removals = [otra, norte, sur].map(async company => await write({ query: remove, company, values: ['L-1'] }))
      t.match(await Promise.all(removals.slice(1)), [[{ folio: 'L-1' }], [{ folio: 'L-1' }]], 'another locked row delays only its own company')
      t.same(transactions.filter(({ companies }) => companies.join() !== `${otra}`).map(({ companies }) => companies), [[norte, sur, otra], [norte], [sur]])
      await releaseRow()
      t.match(await removals[0], [{ folio: 'L-1' }])
    })

    await t.test('do not make other companies wait for a locked one', async (t) => {
      const write = writeTurn(sql)
      const release = await hold('select from company_revisions where company_id = $1 for update')
      const held = [1, 2].map(async n => await write({ query: add, company: otra, values: [`H-${n}`, '1.00'] }))
      t.match(await write({ query: add, company: norte, values: ['H-1', '1.00'] }), [{ folio: 'H-1' }], 'in the same turn')
      held.push(write({ query: add, company: otra, values: ['H-3', '1.00'] }))
      t.match(await write({ query: add, company: norte, values: ['H-2', '1.00'] }), [{ folio: 'H-2' }], 'later')
      t.same(await psql("select folio from contracts where company_id = $1 and folio ~ '^H'", [otra]), [])
      await release()
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
    await psql('insert into authority_revisions (bucket, revision) values (201, 5)')
    const now = Date.now() / 1000
    const [later, past] = [now + 3600, now - 3600]
    const callers = [
      { user: 1, bucket: 201, authority: 5, expires: later },
      { user: 1, bucket: 201, authority: 4, expires: later },
      { user: 1, bucket: 202, authority: 1, expires: later },
      { user: 1, bucket: 201, authority: 5, expires: past },
      { user: 1, bucket: 202, authority: 0, expires: later }
    ]
    const write = writeTurn(sql)
    const answers = await Promise.all(callers.map(async (caller, n) => await outcome(write({ query: add, company: norte, values: [`C-${n}`, '1'], caller }))))
    t.match(answers, [[{ folio: 'C-0' }], 'OB001', 'OB001', 'OB001', [{ folio: 'C-4' }]])
    t.same((await psql("select folio from contracts where company_id = $1 and folio like 'C-_' order by 1", [norte])).map(({ folio }) => folio), ['C-0', 'C-4'])
  })

  await t.test('are repeated as a whole after a deadlock, without an error', async (t) => {
    failures.push(Object.assign(new Error('deadlock'), { code: '40P01' }), Object.assign(new Error('serialization'), { code: '40001' }))
    const write = writeTurn(sql)
    const answers = await Promise.all(['V-1', 'V-2'].map(async folio => await write({ query: add, company: sur, values: [folio, '1'] })))
    t.match(answers, [[{ folio: 'V-1' }], [{ folio: 'V-2' }]])
    t.equal(transactions.length, 3)
  })
})
