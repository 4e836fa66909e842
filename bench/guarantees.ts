import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { ask } from './load.ts'
import { guarantees, type Guarantee } from './guarantees/guarantees.ts'
import { help, readOptions, type Options } from './guarantees/options.ts'
import { Report } from './report.ts'
import { describe, fail, say } from './run.ts'
import { readData, renewed, type Data } from '../test/support/trial/data.ts'
import { asAdmin, makeSeed, type Seed, type Seeded } from '../test/support/trial/database.ts'
import type { Call } from '../test/support/trial/http.ts'
import { cpuOf } from '../test/support/trial/machine.ts'
import { median, percentile } from '../test/support/trial/percentile.ts'
import type { Server } from '../test/support/trial/server.ts'
import { startObra } from '../test/support/trial/start-obra.ts'
import { randomOf, type LoadTarget, type Workload } from '../test/support/trial/workload.ts'
import { workloads } from '../test/support/trial/workloads.ts'

/** A server, and the database of its own. */
interface Side extends AsyncDisposable {
  database: Seeded
  server: Server
}

/** CPU time in µs per request. */
type Cost = Record<typeof units[number], number>

/** `backend µs` are the processes of PostgreSQL for connections only: other benches count all its processes. */
const units = ['service µs', 'backend µs'] as const
const size = { companies: 20, contracts: 100_000, users: 100 }
/** Requests of a turn. Turns of equal time would have few requests on a busy machine, and small batches. */
const perTurn: Record<string, number> = { lists: 4000, detail: 2000, create: 1500, change: 1500 }
/** Turns of the first one, which warms up. */
const warmUp = 3

/** Starts a server with all guarantees, or without one. */
async function start (seed: Seed, name: string, without?: Guarantee): Promise<Side> {
  await using stack = new AsyncDisposableStack()
  const database = stack.use(await seed.copy(name))
  if (without?.sql !== undefined) await asAdmin(database.env['DATABASE_URL'] as string, without.sql)
  const patch = `--import=${join(import.meta.dirname, 'guarantees/patch.ts')}`
  const patched: Record<string, string> = without === undefined ? {} : { NODE_OPTIONS: patch, WITHOUT: without.name, ...without.env }
  const server = stack.use(await startObra(database, { RATE_LIMIT: 'on', API_REQUESTS_PER_MINUTE: '1000000000', ...patched }))
  const started = stack.move()
  return { database, server, [Symbol.asyncDispose]: async () => await started.disposeAsync() }
}

const backends = `select pid from pg_stat_activity
  where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()`

/** CPU time of PostgreSQL's processes for the connections to a database, in seconds. They must run on this machine. */
async function backendsCpu ({ env }: Seeded): Promise<number> {
  return await asAdmin(env['DATABASE_URL'] as string, async (client) => {
    const { rows } = await client.query<{ pid: number }>(backends)
    return rows.reduce((sum, { pid }) => sum + cpuOf(pid, false), 0)
  })
}

/** What both servers of a comparison get. */
interface Requests {
  workload: Workload
  data: Data
  connections: number
  /** Whether each request has an Idempotency-Key. */
  keyed: boolean
}

/** Sends an amount of requests. */
async function cost ({ database, server }: Side, { workload, data, connections, keyed }: Requests, amount: number): Promise<Cost> {
  const target: LoadTarget = { server: server.url, data, random: randomOf(workload) }
  const made = await workload.calls(target)
  const withKey = () => {
    const call = (made as () => Call)()
    return { ...call, headers: { ...call.headers, 'idempotency-key': randomUUID() } }
  }
  const calls = keyed ? withKey : made
  const before = { service: server.usage().cpu, database: await backendsCpu(database) }
  const { status } = workload
  const { requests, errors, firstError } = await ask(server, { calls, status, connections, duration: 60, amount, random: target.random })
  if (errors > 0) throw new Error(`${workload.name}: ${firstError}\n${server.output()}`)
  const microseconds = (seconds: number) => seconds * 1e6 / requests
  return {
    'service µs': microseconds(server.usage().cpu - before.service),
    'backend µs': microseconds(await backendsCpu(database) - before.database)
  }
}

/**
 * Compares both servers in turns, after a longer first turn that does not count.
 * @returns by unit the difference, half the distance of its quartiles, and the cost with all guarantees
 */
async function compare (all: Side, without: Side, requests: Requests, turns: number): Promise<Record<string, number>> {
  const [paid, spared]: [Cost[], Cost[]] = [[], []]
  const amount = perTurn[requests.workload.name] as number
  for (let turn = 0; turn <= turns; turn++) {
    const sides = [[all, paid], [without, spared]] as const
    for (const [side, costs] of turn % 2 === 0 ? sides : sides.toReversed()) {
      costs.push(await cost(side, requests, turn === 0 ? amount * warmUp : amount))
    }
  }
  return Object.fromEntries(units.flatMap((unit) => {
    const differences = paid.map((one, turn) => one[unit] - (spared[turn] as Cost)[unit]).slice(1)
    const spread = (percentile(differences, 0.75) - percentile(differences, 0.25)) / 2
    return [[unit, median(differences)], [`${unit} ±`, spread], [`${unit} with all`, median(paid.slice(1).map(one => one[unit]))]]
  }))
}

async function bench ({ turns, connections, only, keep }: Options): Promise<void> {
  say('seeding the database')
  await using seed = await makeSeed({ keep }, 'obra_guarantees', size)
  let report: Report | undefined
  for (const guarantee of guarantees.filter(({ name }) => only?.includes(name) ?? true)) {
    // Both servers and databases are new, so that they are equally warm and large.
    await using stack = new AsyncDisposableStack()
    const [all, without] = await Promise.all([start(seed, 'obra_guarantees_all'), start(seed, 'obra_guarantees_without', guarantee)])
    stack.use(all)
    stack.use(without)
    report ??= new Report('guarantees', `${describe(all.database)}, ${connections} connections, ${turns} turns each`)
    const data = await readData(all.server.url, all.database.tokens.map(token => renewed(token)))
    for (const name of guarantee.workloads) {
      const workload = workloads.find(workload => workload.name === name) as Workload
      const requests = { workload, data, connections, keyed: guarantee.keyed === true }
      report.add(`${guarantee.name}: ${name}`, await compare(all, without, requests, turns))
    }
  }
  report?.keep()
}

try {
  const options = readOptions()
  if (options === undefined) process.stdout.write(help)
  else await bench(options)
} catch (error) {
  fail(error)
}
