import pg from 'pg'
import t from 'tap'
import { postgresSql, retrying } from '../../../../src/database/connection/postgres-sql.ts'
import type { Row, Statement } from '../../../../src/database/connection/sql.ts'
import { openTestDatabase } from '../../../support/helper.ts'
import { server } from '../../../support/template.ts'

t.test('statements within a transaction', async (t) => {
  const { database: { sql, orm }, psql, env } = await openTestDatabase(t)
  const [{ id: company }] = await psql("select id from companies where nombre = 'Obra Sur'") as [{ id: number }]
  const text = (text: string, ...values: unknown[]): Statement => ({ text, values })
  /** Repeats after lock timeouts: the transactions of one company wait for each other. */
  const patiently = async <T>(work: () => Promise<T>) => await retrying(work, performance.now() + 60_000)
  const add = (folio: string) => text('insert into contracts (company_id, folio) values ($1, $2) returning folio', company, folio)
  const folios = async () => (await psql('select folio from contracts where company_id = $1 order by folio', [company])).map(({ folio }) => folio)

  /** Fails one statement of each transaction, as a statement timeout before it runs. */
  const cancelling = async (cancelled: string) => {
    const pool = await orm.em.getConnection().getNativeClient()
    return postgresSql({
      async connect () {
        const client = await pool.connect()
        const { query } = client
        const failing = (statement: unknown, ...rest: unknown[]) => Reflect.apply(query, client, [statement === cancelled ? 'select 1 / 0' : statement, ...rest])
        return Object.assign(Object.create(client), { query: failing })
      }
    } as unknown as pg.Pool, error => error)
  }

  await t.test('return their own rows, in order, and are committed', async (t) => {
    t.same(await sql.within([company], 'read write', [add('W-1'), text('select 1 as one where false'), add('W-2')]), [[{ folio: 'W-1' }], [], [{ folio: 'W-2' }]])
    t.same(await folios(), ['W-1', 'W-2'])
  })

  await t.test('have the isolation and the access of their mode', async (t) => {
    const settings = text("select current_setting('transaction_isolation') as isolation, current_setting('transaction_read_only') as read_only")
    const modes = { 'read only': ['read committed', 'on'], 'read write': ['read committed', 'off'], 'isolation level repeatable read, read only': ['repeatable read', 'on'] } as const
    for (const [mode, [isolation, readOnly]] of Object.entries(modes)) t.same(await sql.within([company], mode as keyof typeof modes, [settings]), [[{ isolation, read_only: readOnly }]], mode)
  })

  await t.test('fail together with the first error, and are rolled back', async (t) => {
    for (const bad of [add('W-1'), text('select 1 / 0'), text('selec 1'), text("insert into contracts (company_id, folio) values (-1, 'X')"), text('select $1::int', 'no number')]) {
      await t.rejects(sql.within([company], 'read write', [add('W-3'), bad, add('W-4'), text("select 'x'::int")]), { code: /^(23505|22012|42601|42501|22P02)$/ })
      t.same(await folios(), ['W-1', 'W-2'])
    }
  })

  await t.test('can follow on the rows of the others, in the same transaction', async (t) => {
    const adding = async (statements: Statement[], follow: (rows: Row[][]) => Statement[]) => await sql.within([company], 'read write', statements, undefined, follow)
    const byRows = ([[first]]: Row[][]) => [add(`${first?.['folio']}-NEXT`)]
    t.same(await adding([add('F-1')], byRows), [[{ folio: 'F-1' }]])
    t.same(await folios(), ['F-1', 'F-1-NEXT', 'W-1', 'W-2'])
    const idle = "current_setting('idle_in_transaction_session_timeout')"
    await adding([], () => [text(`select 1 / (${idle} = '5s')::int`)])
    for (let round = 0; round < 12; round++) t.notMatch(await sql.query(text(`select ${idle} as idle`)), [{ idle: '5s' }], 'the time between the trips is limited, and only in the transaction')
    await t.rejects(adding([add('F-2')], () => [add('F-3'), text('select 1 / 0')]), { code: '22012' })
    await t.rejects(adding([add('F-2')], () => { throw new TypeError('no answer') }), { name: 'TypeError', message: 'no answer' })
    let asked = 0
    await t.rejects(adding([add('F-2'), text('select 1 / 0')], () => { asked += 1; return [] }), { code: '22012' })
    t.equal(asked, 0)
    for (let round = 0; round < 12; round++) t.same(await sql.within([company], 'read only', [text('select 1 as one')]), [[{ one: 1 }]])
    t.same(await folios(), ['F-1', 'F-1-NEXT', 'W-1', 'W-2'])
    await psql("delete from contracts where folio like 'F-1%'")
  })

  await t.test('leave no company set on their connection, after success or failure', async (t) => {
    await sql.within([company], 'read only', [text('select 1')])
    await sql.within([company], 'read only', [text('select 1 / 0')]).catch(() => {})
    t.same(await Promise.all(Array.from({ length: 12 }, async () => await sql.query(text('select count(*) as rows from contracts')))), Array(12).fill([{ rows: 0 }]))
    t.same(await sql.within([], 'read only', [text('select count(*) as rows from contracts')]), [[{ rows: 0 }]])
  })

  await t.test('sent concurrently are one transaction each', async (t) => {
    const answers = await Promise.allSettled(Array.from({ length: 30 }, async (_, n) => await patiently(async () =>
      await sql.within([company], 'read write', [add(`X-${n}`), n % 3 === 0 ? text('select 1 / 0') : add(`Y-${n}`)]))))
    t.equal(answers.filter(({ status }) => status === 'rejected').length, 10)
    const kept = (await folios()).filter(folio => !folio.startsWith('W-'))
    t.equal(kept.length, 40)
    t.notOk(kept.some(folio => Number(folio.slice(2)) % 3 === 0))
  })

  await t.test('whose commit is cancelled before it runs do not leave their connection in the transaction', async (t) => {
    await t.rejects((await cancelling('commit')).within([company], 'read write', [add('C-1')]), { code: '22012' })
    for (let round = 0; round < 12; round++) t.same(await sql.within([company], 'read only', [text('select 1 as one')]), [[{ one: 1 }]])
    t.notOk((await folios()).includes('C-1'))
  })

  await t.test('whose begin is cancelled change nothing, not even accounts', async (t) => {
    const rename = text("update users set nombre = 'Otra' where email = 'director@demo.example'")
    for (const companies of [[], [company]]) {
      await t.rejects((await cancelling('begin')).within(companies, 'read write', [companies.length === 0 ? rename : add('B-1')]), { code: '22012' })
    }
    t.notOk((await folios()).includes('B-1'))
    t.same(await psql("select email from users where nombre = 'Otra'"), [])
  })

  await t.test('with a name stay usable, also after the first statement of that name failed', async (t) => {
    const named = (value: unknown) => ({ name: 'within test', text: 'select 10 / $1::int as tenth', values: [value] })
    for (let round = 0; round < 12; round++) {
      await t.rejects(sql.within([company], 'read only', [text('select 1 / 0'), named(5)]), { code: '22012' })
      await t.rejects(sql.within([company], 'read only', [named(0)]), { code: '22012' })
      t.same(await sql.within([company], 'read only', [named(5), named(2)]), [[{ tenth: 2 }], [{ tenth: 5 }]])
    }
  })

  await t.test('run as the service role, in UTC, and return values as text or exact numbers', async (t) => {
    t.same(await sql.query(text("select current_user::text as role, 9007199254740991::bigint as big, 9999999999999999.99::numeric(18,2) as money, date '2026-02-28' as day, timestamptz '2026-01-01 00:00:00.000001+06' as instant, array[1, 2] as ids")),
      [{ role: 'obra_app', big: 9007199254740991, money: '9999999999999999.99', day: '2026-02-28', instant: '2025-12-31T18:00:00.000001Z', ids: [1, 2] }])
    t.same(await orm.em.fork().execute('select current_user::text as role'), [{ role: 'obra_app' }])
  })

  if (server !== undefined) {
    await t.test('refuse to write in a read-only turn', async (t) => {
      await t.rejects(sql.within([company], 'read only', [add('R-1')]), { code: '25006' })
    })

    await t.test('that lose their connection are rolled back, and the connection is not reused', async (t) => {
      const pool = new pg.Pool({ connectionString: env['DATABASE_URL'], options: '-c role=obra_app', max: 1, pipeline: true })
      pool.on('error', () => {})
      pool.on('connect', client => client.on('error', () => {}))
      const own = postgresSql(pool, error => error)
      const pid = async () => (await own.query(text('select pg_backend_pid() as pid')))[0]?.['pid']
      const first = await pid()
      await t.rejects(own.within([company], 'read write', [add('Z-1'), text('set local role none'), text('select pg_terminate_backend(pg_backend_pid())'), add('Z-2')]))
      t.not(await pid(), first)
      t.same((await folios()).filter(folio => folio.startsWith('Z-')), [])
      t.same(await own.within([company], 'read write', [add('Z-3')]), [[{ folio: 'Z-3' }]])
      await pool.end()
    })
  }
})
