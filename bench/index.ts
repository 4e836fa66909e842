import { demoPassword } from '../src/domain/demo/data.ts'
import type { Figures } from './figures/run.ts'
import { hotCall } from '../test/support/trial/calls.ts'
import { readData, renewed, type Data } from '../test/support/trial/data.ts'
import { makeDatabase } from '../test/support/trial/database.ts'
import { get } from '../test/support/trial/http.ts'
import { importing, measureImport } from './import.ts'
import { megabyte } from '../test/support/trial/machine.ts'
import { help, readOptions, type Options } from '../test/support/trial/options.ts'
import { keep } from './report.ts'
import { conclude, describe, fail, say, startYardstick } from './run.ts'
import { Turns } from './turns.ts'
import { startInspected, startObra } from '../test/support/trial/start-obra.ts'
import { logInAll, runningServer } from './running.ts'
import type { Server } from '../test/support/trial/server.ts'
import { randomOf, type LoadTarget, type Workload } from '../test/support/trial/workload.ts'
import { workloads, yardstickWorkloads } from '../test/support/trial/workloads.ts'

/** The service that the workloads measure. `uncached` is the same service without a page cache. */
interface Subject {
  obra: Server
  uncached?: Server
  data: Data
  perCompany?: number
  described: string
  /** Figures besides those of the workloads. */
  others?: Figures
}

/** Starts the service on a seeded database and runs the workloads. */
async function bench (options: Options): Promise<void> {
  const imported = options.only?.includes(importing.name) ?? true ? await measureImport(options.embedded) : undefined
  if (imported !== undefined && options.only?.every(name => name === importing.name) === true) {
    keep('workloads', `${imported.kind}, empty`, imported.figures)
    return
  }
  say('seeding the database')
  await using database = await makeDatabase(options)
  const { companies, contracts } = database.size
  say(describe(database))

  // Both servers use the same URL in links, so that their answers can be compared.
  const PUBLIC_URL = 'http://bench.example'
  const start = options.profile ? startInspected : startObra
  await using obra = await start(database, { PUBLIC_URL })
  await using uncached = database.shared ? await start(database, { PUBLIC_URL, PAGE_CACHE_MB: '0' }) : undefined
  const others = { ...imported?.figures, 'at rest': { MB: obra.usage().memory / megabyte } }
  const data = await readData((uncached ?? obra).url, database.tokens.map(token => renewed(token)))
  const canRun = (workload: Workload) => workload.uncached !== true || uncached !== undefined
  const chosen = workloads.filter(workload => options.only?.includes(workload.name) ?? canRun(workload))
  await runAll(chosen, { obra, uncached, data, perCompany: contracts / companies, described: describe(database), others }, options)
}

/** Runs workloads as the given users against a running service. It keeps what they write, so writes need `--only`. */
async function benchRunning (url: string, options: Options): Promise<void> {
  if (options.profile || options.embedded) throw new Error('--profile and --embedded have no effect on a running server')
  const includes = (name: string) => options.only?.includes(name) === true
  if (includes('misses')) throw new Error('misses needs a server without page cache: set PAGE_CACHE_MB=0 and run lists')
  if (includes(importing.name)) throw new Error('import needs an empty database: run it without --against')
  const obra = runningServer(url)
  say(`logging in to ${obra.url}`)
  const data = await readData(obra.url, await logInAll(obra.url, options.users, process.env['BENCH_PASSWORD'] ?? demoPassword))
  const chosen = workloads.filter(({ name, isRead }) => options.only?.includes(name) ?? isRead === true)
  await runAll(chosen, { obra, data, described: `${obra.url} as ${options.users.join(', ')}` }, options)
}

/** Runs the workloads, by turns with the yardsticks. */
async function runAll (chosen: Workload[], subject: Subject, options: Options): Promise<void> {
  const { obra, uncached, data, perCompany, described, others } = subject
  const target = (workload: Workload): LoadTarget => ({ server: obra.url, data, random: randomOf(workload), perCompany })
  const hot = (await get(obra.url, hotCall(target(workloads[0])))).bytes
  await using bare = await startYardstick(hot)
  const turns = await Turns.start(yardstickWorkloads(hot).map(workload => ({ workload, server: bare, target: target(workload) })), options)
  for (const workload of chosen) {
    const server = workload.uncached === true ? uncached ?? obra : obra
    const other = server === obra ? uncached : undefined
    if (!await turns.run([{ workload, server, target: target(workload), other }])) break
  }
  conclude('workloads', described, turns.rows, options, others)
}

try {
  const options = readOptions([importing, ...workloads].map(({ name }) => name))
  const about = 'Measures the server against bare Fastify routes. Starts a server process and seeds a database,\n' +
    'on PostgreSQL if it answers.'
  const own = [
    '--embedded           use the embedded database',
    '--profile            write a flame graph of each workload and print the time by package and file',
    '--against URL        measure this running server; start it with RATE_LIMIT=off. Writes run only with --only, and stay',
    '--users EMAIL,EMAIL  accounts for --against, with the password of BENCH_PASSWORD (director@demo.example)'
  ]
  if (options === undefined) process.stdout.write(help('bench/index.ts', about, own, { Workloads: [importing, ...workloads] }))
  else if (options.against !== undefined) await benchRunning(options.against, options)
  else await bench(options)
} catch (error) {
  fail(error)
}
