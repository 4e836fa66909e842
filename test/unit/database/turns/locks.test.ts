import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { build, type Client } from '../../../support/helper.ts'
import { openSession } from '../../../support/session.ts'
import { server } from '../../../support/template.ts'

const companies = 6

t.test('while another session holds locks', { skip: server === undefined && 'the embedded database has one connection' }, async (t) => {
  const { as, psql, env, database } = await build(t, { RATE_LIMIT: 'off' })
  await psql("insert into companies (nombre, customer_id) select 'Tercera ' || n, (select min(id) from customers) from generate_series(1, $1::int) n", [companies])
  await psql(`
    with made as (
      insert into users (email, password, customer_id, company_id)
      select 'director-' || c.id || '@tercera.example', d.password, c.customer_id, c.id from companies c, users d where c.nombre like 'Tercera%' and d.email = 'director@demo.example'
      returning id, company_id)
    insert into memberships (user_id, company_id, nivel_acceso) select id, company_id, 3 from made`)
  const directors: Client[] = []
  for (const { email } of await psql("select email from users where email like '%@tercera.example' order by id")) directors.push(await as(email))
  const [director, other] = [await as('director@demo.example'), await as('director@otra.example')]
  const [{ id, company }] = (await director.get('contracts/?page_size=1')).json().results

  const holder = await openSession(t, env)
  /** Number of the service's connections that wait for a lock. */
  const waiting = async () => (await psql("select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"))[0]?.['n'] as number
  const used = () => (database.pool?.totalCount ?? 0) - (database.pool?.idleCount ?? 0) + (database.pool?.waitingCount ?? 0)

  /** Counts the connections of `requests` while all of them wait, then releases the locks. */
  async function whileHeld (lock: string, send: (client: Client, n: number) => Array<Promise<{ statusCode: number, body: string }>>, clients: Client[], most: number, writes = true): Promise<void> {
    await holder.query('begin')
    await holder.query(lock)
    let answered = 0
    const requests: Array<Promise<{ statusCode: number, body: string }>> = []
    let largest = 0
    // The service gives up a wait after 10 s.
    const late = performance.now() + 5000
    for (let round = 0; round < 5 && performance.now() < late; round++) {
      for (const client of clients) requests.push(...send(client, round).map(async request => await request.finally(() => { answered++ })))
      for (let look = 0; look < 5; look++) largest = Math.max(largest, await waiting())
      const reads = await Promise.all([other.get('contracts/?page_size=1&ordering=-folio'), other.get(`contracts/?search=OU&page_size=${round + 1}`), other.get('me/')])
      t.strictSame(reads.map(({ statusCode }) => statusCode), [200, 200, 200])
      t.equal(answered, 0, 'other requests are answered, the waiting ones are not')
      await sleep(20)
      if (!writes) continue
      const written = await other.post('contracts/', { folio: `${lock.length}-${requests.length}` })
      t.match([written.statusCode, written.json()], [201, { folio: `${lock.length}-${requests.length}` }])
    }
    t.ok(largest > 0 && largest <= most, `${largest} connections waited`)
    await holder.query('rollback')
    const answers = await Promise.all(requests)
    t.strictSame(answers.filter(({ statusCode }) => statusCode >= 300).map(({ body }) => body), [])
    t.equal(used(), 0, 'all connections are released')
  }

  t.test('all writes to one company wait on one connection', async (t) => {
    let folios = 0
    await whileHeld(`select from company_revisions where company_id = ${company} for update`, (client, n) => [
      client.post('contracts/', { folio: `UNO-${++folios}` }),
      client.post('contracts/', { folio: `UNO-${++folios}` }, { 'idempotency-key': `uno ${folios}` }),
      client.post('contracts/bulk/', { items: [{ folio: `UNO-${++folios}` }, { folio: `UNO-${++folios}` }] }),
      client.send('PATCH', `contracts/${id}/`, { descripcion: `uno ${n}` })
    ], [director], 1)
    t.equal((await psql("select from contracts where folio like 'UNO-%'")).length, folios, 'each was executed once')
  })

  t.test('writes that meet a locked row wait on one connection', async (t) => {
    await whileHeld(`select from contracts where id = ${id} for update`, (client, n) => [client.send('PATCH', `contracts/${id}/`, { descripcion: `fila ${n}` })], [director], 1)
  })

  t.test('writes to many companies wait on three connections of ten', async (t) => {
    let folios = 0
    await whileHeld("select from company_revisions r join companies c on c.id = r.company_id and c.nombre like 'Tercera%' for update of r", client => [
      client.post('contracts/', { folio: `MUCHOS-${++folios}` }),
      client.post('contracts/', { folio: `MUCHOS-${++folios}` }, { 'idempotency-key': `muchos ${folios}` })
    ], directors, 3) // one is that of the common turn, which finds the lock
    t.equal((await psql("select from contracts where folio like 'MUCHOS-%'")).length, folios)
  })

  t.test('waiting reads take three connections of ten, and two for one company', async (t) => {
    // Different requests, so that no answer comes from the cache.
    let requests = 0
    const search = (client: Client) => Array.from({ length: 3 }, async () => await client.get(`estimates/?estado=borrador&page_size=${++requests}`))
    await whileHeld('lock table estimates in access exclusive mode', search, [director], 2, false)
    await whileHeld('lock table estimates in access exclusive mode', search, [director, ...directors.slice(0, 1)], 3, false)
  })

  t.test('writes to accounts wait on one connection', async (t) => {
    const root = await as('superusuario@demo.example')
    let n = 0
    await whileHeld('select pg_advisory_xact_lock(1633903476)', client => [client.post('customers/', { nombre: `Cliente ${++n}` }), client.post('customers/', { nombre: `Cliente ${++n}` }, { 'idempotency-key': `cliente ${n}` })], [root], 1)
    t.equal((await psql("select from customers where nombre like 'Cliente %'")).length, n)
  })

  t.test('single statements wait on two connections of ten', async (t) => {
    await holder.query('begin')
    await holder.query("select from users where email = 'director@demo.example' for update")
    const changes = Array.from({ length: 12 }, async () => await director.send('PATCH', 'me/', { company }))
    let largest = 0
    for (let look = 0; look < 20; look++) {
      largest = Math.max(largest, await waiting())
      t.equal((await other.get(`contracts/?page_size=${look + 1}`)).statusCode, 200)
    }
    t.ok(largest > 0 && largest <= 2, `${largest} connections waited`)
    t.equal((await other.get('me/')).json().email, 'director@otra.example')
    await holder.query('rollback')
    t.strictSame((await Promise.all(changes)).map(({ statusCode }) => statusCode), Array(12).fill(200))
  })
})
