import { once } from 'node:events'
import { createServer as createHttpServer } from 'node:http'
import { createServer, type AddressInfo, type Server as TcpServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { readData, renewed, type User } from '../test/support/trial/data.ts'
import { makeDatabase } from '../test/support/trial/database.ts'
import { startObra } from '../test/support/trial/start-obra.ts'
import { superuserOptions } from '../test/support/trial/superuser.ts'
import { Caller } from './caller.ts'
import { withFlags } from './flags.ts'
import { print, quantiles, Report } from './report.ts'
import { median } from '../test/support/trial/percentile.ts'

const help = `node bench/webhooks.ts [options]

Prints the figures of webhooks, on PostgreSQL: changes per second to one receiver, the time from a commit to its delivery beside receivers
that never answer, creates with and without such receivers by turns, deliveries after a downtime, and the CPU time of idle webhooks.
Exits with 1 if a delivery is missing.

  --seconds N   length of each measurement (20)
  --rounds N    turns of the comparison of creates (5)
`

/** Answer time of the receiver in ms. */
const answerTime = 5
/** Webhooks whose receivers never answer, and those beside them. */
const dead = 100
const live = 10
/** Idle webhooks. */
const idle = 10_000

/** A receiver with its deliveries. */
interface Receiver extends AsyncDisposable {
  url: string
  /** Number of changes, and of deliveries. */
  changes: number
  deliveries: number
  /** Times in ms from commit to delivery. */
  lags: number[]
  /** The status of answers. */
  status: number
}

async function startReceiver (): Promise<Receiver> {
  const server = createHttpServer(async (request, response) => {
    let body = ''
    for await (const part of request) body += part
    const { timestamp, data } = JSON.parse(body)
    await sleep(answerTime)
    if (receiver.status === 204) {
      receiver.deliveries++
      receiver.changes += Array.isArray(data) ? data.length : 1
      receiver.lags.push(Date.now() - answerTime - Date.parse(timestamp))
    }
    response.writeHead(receiver.status).end()
  })
  const close = async () => {
    server.closeAllConnections()
    server.close()
  }
  const url = await listening(server)
  const receiver: Receiver = { url, changes: 0, deliveries: 0, lags: [], status: 204, [Symbol.asyncDispose]: close }
  return receiver
}

async function listening (server: TcpServer): Promise<string> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

async function until (holds: () => boolean, seconds: number, what: string): Promise<void> {
  for (const end = performance.now() + seconds * 1000; !holds(); await sleep(10)) {
    if (performance.now() > end) throw new Error(`${what}: not after ${seconds} s`)
  }
}

/** Creates as fast as 16 clients can. @returns creates per second */
async function creates (caller: Caller, seconds: number, name: string): Promise<number> {
  let count = 0
  const end = performance.now() + seconds * 1000
  await Promise.all(Array.from({ length: 16 }, async (_, client) => {
    while (performance.now() < end) await caller.post('contracts/', { folio: `${name}-${client}-${count++}` })
  }))
  return count / seconds
}

async function webhooks (seconds: number, rounds: number): Promise<void> {
  await using stack = new AsyncDisposableStack()
  const database = stack.use(await makeDatabase({}, 'obra_webhooks', { companies: 2, contracts: 20_000, users: 20 }))
  // Receivers on loopback are not allowed in production.
  const server = stack.use(await startObra(database, { NODE_ENV: 'development' }))
  const { users } = await readData(server.url, database.tokens.map(token => renewed(token)))
  const [user] = users as [User, ...User[]]
  const caller = new Caller(server, user)
  const other = new Caller(server, users.find(({ company }) => company !== user.company) as User)
  const psql = new pg.Client({ connectionString: database.env['DATABASE_URL'], options: superuserOptions })
  await psql.connect()
  stack.defer(async () => await psql.end())
  const report = new Report('webhooks', database.kind)

  const first = stack.use(await startReceiver())
  const { id } = await caller.post('webhooks/', { url: first.url, batch: 100 })
  const counted = 'select contracts + contrapartes + estimates as count from company_revisions where company_id = $1'
  const { rows: [{ count }] } = await psql.query(counted, [user.company])
  const began = performance.now()
  await caller.post(`webhooks/${id}/replay/`, { since: 0 })
  await until(() => first.changes >= count, 120, 'the replay')
  const time = (performance.now() - began) / 1000
  const note = `${first.changes} in ${first.deliveries} deliveries`
  report.add('changes to one receiver, 100 per delivery', { 'changes/s': first.changes / time }, note)

  first.status = 500
  const items = Array.from({ length: 200 }, (_, number) => ({ folio: `CAIDA-${number}`, external_id: `caida-${number}` }))
  for (let round = 0; round < 5; round++) {
    const changed = items.map(item => ({ ...item, monto: `${round}.00` }))
    await caller.post('contracts/bulk/', { items: changed, upsert: 'external_id' })
  }
  await sleep(1000)
  // The time of the downtime, and the schedule after it.
  await psql.query("update webhook_cursors set failing_since = failing_since - interval '72 hours', next_attempt_at = null")
  Object.assign(first, { status: 204, changes: 0, deliveries: 0 })
  await until(() => first.changes >= items.length, 60, 'deliveries after the downtime')
  await sleep(1000)
  print(`${items.length} records changed 5 times in 72 hours`, `${first.changes} changes delivered`)
  if (first.changes !== items.length) process.exitCode = 1

  await psql.query('delete from webhooks')
  const receivers: Receiver[] = []
  for (let number = 0; number < live; number++) {
    receivers.push(stack.use(await startReceiver()))
    await other.post('webhooks/', { url: receivers[number]?.url })
  }
  const silent = createServer(socket => socket.on('error', () => {}).resume())
  const hole = await listening(silent)
  stack.defer(async () => { silent.close() })
  for (let number = 0; number < dead; number++) await caller.post('webhooks/', { url: `${hole}${number}` })
  for (let number = 0, end = performance.now() + seconds * 1000; performance.now() < end; number++) {
    await (number % 2 === 0 ? caller : other).post('contracts/', { folio: `LENTO-${number}` })
    await sleep(20)
  }
  await sleep(2000)
  const lags = receivers.flatMap(receiver => receiver.lags)
  report.add(`from commit to delivery, beside ${dead} dead receivers`, quantiles(lags), `${lags.length} deliveries`)

  const found: number[] = []
  const setActive = 'update webhook_cursors set activo = $1, next_attempt_at = null, failures = 0 where company_id = $2'
  for (let round = 0; round < rounds; round++) {
    const measured: number[] = []
    for (const isActive of round % 2 === 0 ? [true, false] : [false, true]) {
      await psql.query(setActive, [isActive, user.company])
      measured[isActive ? 0 : 1] = await creates(caller, seconds / 2, `TURNO-${round}-${isActive}`)
    }
    found.push(measured[0] / measured[1])
  }
  report.add(`creates with ${dead} dead receivers`, { ratio: median(found) }, `turns ${found.map(ratio => ratio.toFixed(2)).join(', ')}`)

  await psql.query(`update webhook_cursors c set activo = true, next_attempt_at = null, failures = 0, revision = r.revision
    from company_revisions r where r.company_id = c.company_id`)
  await psql.query('update webhooks set activo = false')
  await sleep(3000)
  const cpu = async () => {
    const start = server.usage().cpu
    await sleep(seconds * 1000)
    return { '% of a core': (server.usage().cpu - start) / seconds * 100 }
  }
  report.add('CPU without active webhooks', await cpu())
  // In one transaction, so that none looks for changes since its creation.
  await psql.query('begin')
  await psql.query(`insert into webhooks (company_id, url, secrets)
    select $1, 'http://127.0.0.1:9/', '' from generate_series(1, $2)`, [user.company, idle])
  await psql.query('update webhook_cursors c set revision = r.revision from company_revisions r where r.company_id = c.company_id')
  await psql.query('commit')
  await sleep(2000)
  report.add(`CPU of ${idle.toLocaleString('en')} idle webhooks`, await cpu())
  report.keep()
}

await withFlags(help, { seconds: [20, 600], rounds: [5, 100] }, [], async ({ seconds, rounds }) => await webhooks(seconds, rounds))
