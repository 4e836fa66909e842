import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import type { Figures } from './figures/run.ts'
import { ask } from './load.ts'
import { promises, type Promised } from './promises/promises.ts'
import { keep, median, print, short } from './report.ts'
import { describe, fail, say } from './run.ts'
import { readData, renewed, type Data } from '../src/trial/data.ts'
import { asAdmin, makeSeed, type Seed, type Seeded } from '../src/trial/database.ts'
import type { Call } from '../src/trial/http.ts'
import { cpuOf } from '../src/trial/machine.ts'
import { help, readOptions, type Options } from '../src/trial/options.ts'
import { percentile } from '../src/trial/percentile.ts'
import type { Server } from '../src/trial/server.ts'
import { startObra } from '../src/trial/start-obra.ts'
import { randomOf, type LoadTarget, type Workload } from '../src/trial/workload.ts'
import { workloads } from '../src/trial/workloads.ts'

/** A server, and the database of its own. */
interface Side extends AsyncDisposable {
  database: Seeded
  server: Server
}

/** CPU time in µs per request. */
type Cost = Record<'service µs' | 'PostgreSQL µs', number>

const units = ['service µs', 'PostgreSQL µs'] as const
const size = { companies: 20, contracts: 100_000, users: 100 }
/** Requests of a turn. Turns of equal time would have few requests on a busy machine, and small batches. */
const perTurn: Record<string, number> = { lists: 4000, detail: 2000, create: 1500, change: 1500 }
/** Turns of the first one, which warms up. */
const warmUp = 3

/** Starts a server with all promises, or without one. */
async function start (seed: Seed, name: string, without?: Promised): Promise<Side> {
  await using stack = new AsyncDisposableStack()
  const database = stack.use(await seed.copy(name))
  if (without?.sql !== undefined) await asAdmin(database.env['DATABASE_URL'] as string, without.sql)
  const patched: Record<string, string> = without === undefined ? {} : { NODE_OPTIONS: `--import=${join(import.meta.dirname, 'promises/patch.ts')}`, WITHOUT: without.name }
  const server = stack.use(await startObra(database, { RATE_LIMIT: 'on', API_REQUESTS_PER_MINUTE: '1000000000', ...patched, ...without?.env }))
  const started = stack.move()
  return { database, server, [Symbol.asyncDispose]: async () => await started.disposeAsync() }
}

/** CPU time of PostgreSQL's processes for the connections to a database, in seconds. They must run on this machine. */
async function backendsCpu ({ env }: Seeded): Promise<number> {
  return await asAdmin(env['DATABASE_URL'] as string, async (client) => {
    const { rows } = await client.query<{ pid: number }>("select pid from pg_stat_activity where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()")
    return rows.reduce((sum, { pid }) => sum + cpuOf(pid, false), 0)
  })
}

/** Sends requests of a workload. */
async function cost ({ database, server }: Side, workload: Workload, data: Data, connections: number, amount: number, keyed = false): Promise<Cost> {
  const target: LoadTarget = { server: server.url, data, random: randomOf(workload) }
  const calls = await workload.calls(target)
  const withKey = () => {
    const call = (calls as () => Call)()
    return { ...call, headers: { ...call.headers, 'idempotency-key': randomUUID() } }
  }
  const before = { service: server.usage().cpu, database: await backendsCpu(database) }
  const { requests, errors, firstError } = await ask(server, { calls: keyed ? withKey : calls, status: workload.status, connections, duration: 60, amount, random: target.random })
  if (errors > 0) throw new Error(`${workload.name}: ${firstError}\n${server.output()}`)
  const microseconds = (seconds: number) => seconds * 1e6 / requests
  return { 'service µs': microseconds(server.usage().cpu - before.service), 'PostgreSQL µs': microseconds(await backendsCpu(database) - before.database) }
}

/** Compares both servers in turns, after a longer first turn that does not count. */
async function compare (all: Side, without: Side, { name, keyed }: Promised, workload: Workload, data: Data, options: Options): Promise<Figures> {
  const [paid, spared]: [Cost[], Cost[]] = [[], []]
  for (let turn = 0; turn <= options.duration; turn++) {
    const sides = [[all, paid], [without, spared]] as const
    for (const [side, costs] of turn % 2 === 0 ? sides : sides.toReversed()) costs.push(await cost(side, workload, data, options.connections, (perTurn[workload.name] as number) * (turn === 0 ? warmUp : 1), keyed))
  }
  const differences = units.map(unit => paid.map((one, turn) => one[unit] - (spared[turn] as Cost)[unit]).slice(1))
  const figures = Object.fromEntries(differences.flatMap((each, index) => [[units[index], median(each)], [`${units[index]} ±`, (percentile(each, 0.75) - percentile(each, 0.25)) / 2]]))
  const total = Object.fromEntries(units.map(unit => [unit, median(paid.slice(1).map(one => one[unit]))]))
  print(`${name}, ${workload.name}`, units.map(unit => `${short(figures[unit] as number)} ± ${short(figures[`${unit} ±`] as number)} of ${short(total[unit] as number)} ${unit}`).join(', '))
  return { [`${name}: ${workload.name}`]: figures, ...keyed === true ? {} : { [`all: ${workload.name}`]: total } }
}

async function bench (options: Options): Promise<void> {
  say('seeding the database')
  await using seed = await makeSeed(options, 'obra_promises', size)
  for (const promise of promises.filter(({ name }) => options.only?.includes(name) ?? true)) {
    // Both servers and databases are new, so that they are equally warm and large.
    await using stack = new AsyncDisposableStack()
    const [all, without] = await Promise.all([start(seed, 'obra_promises_all'), start(seed, 'obra_promises_without', promise)])
    stack.use(all)
    stack.use(without)
    const data = await readData(all.server.url, all.database.tokens.map(token => renewed(token)))
    const figures: Figures = {}
    for (const name of promise.workloads) Object.assign(figures, await compare(all, without, promise, workloads.find(workload => workload.name === name) as Workload, data, options))
    keep('promises', `${describe(all.database)}, ${options.connections} connections, ${options.duration} turns each`, figures)
  }
}

try {
  const options = readOptions(promises.map(({ name }) => name))
  const about = 'Measures what each promise of the service costs: CPU time per request of a server with all promises, less that of a server\nwithout one, in turns. The second server runs patched source on a changed copy of the database. --duration is the number of turns.'
  if (options === undefined) process.stdout.write(help('bench/promises.ts', about, [], { Promises: promises }))
  else await bench(options)
} catch (error) {
  fail(error)
}
