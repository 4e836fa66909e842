import pg from 'pg'
import t, { type Test } from 'tap'
import { inCompany } from '../../../../src/database/turns/unit-of-work.ts'
import { build, openTestDatabase } from '../../../support/helper.ts'
import { server } from '../../../support/template.ts'

type Query = (this: pg.Client, statement: string | { text: string }, ...rest: unknown[]) => Promise<unknown>

/** Replaces the driver's `query` until `restore` or the end of the test. */
function replaceQuery (t: Test, replacement: (query: Query) => Query): { restore: () => void } {
  const { query } = pg.Client.prototype
  const restore = () => { pg.Client.prototype.query = query }
  t.teardown(restore)
  pg.Client.prototype.query = replacement(query) as never
  return { restore }
}

t.test('a create with a new key takes two round trips: begin with the insert, and the answer with the commit', async (t) => {
  const { as } = await build(t)
  const director = await as('director@demo.example')
  const send = async (folio: string) => await director.post('contracts/', { folio }, { 'idempotency-key': folio })
  await send('VIAJE-1')
  const trips: string[][] = []
  let pending = 0
  replaceQuery(t, query => async function (statement, ...rest) {
    if (pending++ === 0) trips.push([])
    trips.at(-1)?.push((typeof statement === 'string' ? statement : statement.text).trim().split(/\s/, 1)[0])
    try {
      return await Reflect.apply(query, this, [statement, ...rest])
    } finally {
      pending--
    }
  })
  t.equal((await send('VIAJE-2')).statusCode, 201)
  const turn = trips.slice(trips.findIndex(([first]) => first === 'begin'))
  t.strictSame(turn, [['begin', 'select', 'select', 'select', 'select', 'with', 'select'], ['insert', 'select', 'commit']])
})

t.test('a unit of work', async (t) => {
  const { database, psql } = await openTestDatabase(t)
  const [{ company }] = await psql('select min(id) as company from companies') as [{ company: number }]
  const { pool } = database
  const add = (folio: string) => ({ text: 'insert into contracts (company_id, folio) values ($1, $2)', values: [company, folio] })
  const count = async () => (await psql("select count(*)::int as n from contracts where folio like 'T-%'"))[0]?.['n']
  const isFree = async (t: Test) => {
    t.equal(pool.idleCount, pool.totalCount, 'no connection is kept')
    await inCompany(database, company, async ({ run }) => t.same(await run({ text: 'select 1 as one', values: [] }), [{ one: 1 }], 'the next unit works'))
  }

  await t.test('that ignores a failed statement does not end as if it were written', async (t) => {
    await t.rejects(inCompany(database, company, async ({ run }) => {
      await run(add('T-9'))
      await run({ text: 'select 1 / 0', values: [] }).catch(() => {})
    }), /ignored/)
    t.equal(await count(), 0)
    await isFree(t)
  })

  for (const failing of [/^begin/, /^commit/, /lock_companies/, /as last/]) {
    await t.test(`writes nothing and gives its connection back if ${failing.source} fails`, async (t) => {
      let began = 0
      const { restore } = replaceQuery(t, query => async function (statement, ...rest) {
        const text = typeof statement === 'string' ? statement : statement.text
        return await Reflect.apply(query, this, [text.match(failing) === null ? statement : 'select 1 / 0', ...rest])
      })
      await t.rejects(inCompany(database, company, async ({ run, last }) => {
        began++
        await run(add('T-1'))
        last.push({ text: 'select 2 as last', values: [] })
      }), { code: '22012' })
      restore()
      t.equal(began, /begin|lock/.test(failing.source) ? 0 : 1)
      t.equal(await count(), 0)
      await isFree(t)
    })
  }

  await t.test('reports the statement that failed, not those after it', async (t) => {
    await t.rejects(inCompany(database, company, async ({ run }) => {
      await Promise.all([run(add('T-2')), run({ text: 'select 1 / 0', values: [] }), run(add('T-3'))])
    }), { code: '22012' })
    t.equal(await count(), 0)
    await isFree(t)
  })

  await t.test('that loses its connection closes it', { skip: server === undefined && 'the embedded database has one session' }, async (t) => {
    await t.rejects(inCompany(database, company, async ({ run }) => {
      await run(add('T-4'))
      const [{ pid }] = await run({ text: 'select pg_backend_pid() as pid', values: [] }) as [{ pid: number }]
      await psql('select pg_terminate_backend($1)', [pid])
      await run(add('T-5'))
    }), /terminat|57P01|not queryable/i)
    t.equal(await count(), 0)
    await isFree(t)
  })

  await t.test('runs the entity manager in its transaction', async (t) => {
    await t.rejects(inCompany(database, company, async ({ em, run }) => {
      await run(add('T-6'))
      t.strictSame(await em.execute("select folio from contracts where folio like 'T-%'"), [{ folio: 'T-6' }])
      throw new Error('after a read')
    }), { message: 'after a read' })
    t.equal(await count(), 0)
  })
})
