import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { checkFreshness, emptyReport, type Report } from './checker.ts'
import { open } from './connection.ts'
import { readsByServer, startReplicated } from '../../../src/trial/replicated.ts'
import { freePort } from '../../../src/trial/server.ts'
import { randomFrom } from '../../../src/trial/random.ts'
import { makeDatabase } from '../../../src/trial/database.ts'
import { whole } from '../../../src/trial/options.ts'
import { startObra } from '../../../src/trial/start-obra.ts'
import { superuserOptions } from '../../../src/trial/superuser.ts'

/** Size of the long check; the test suite runs `checker.ts` on less data. */
const size = { companies: 20, contracts: 20_000, users: 20 }

const help = `node test/system/freshness/run.ts [options]

Reads and writes concurrently through two server processes on one PostgreSQL, and directly in SQL, in ${size.companies} companies. Compares each answer
with what was acknowledged before its request. Exits with 1 if an answer shows an older state. Uses the PostgreSQL of DATABASE_URL, by default the one
on this machine.

  --reads N     number of reads (1000000)
  --workers N   one server of N processes (obra start --workers N) instead of two servers
  --actors N    actors per company (3)
  --writes N    percentage of requests that write (3)
  --replicas N  on PostgreSQL servers of its own, with N replicas that lag by up to 5 s, stop, freeze and come back (0); needs root
`

interface Options {
  reads: number
  workers?: number
  actors: number
  writes: number
  replicas: number
}

function readOptions (): Options | undefined {
  const { values: { help, reads, workers, actors, writes, replicas } } = parseArgs({
    options: {
      reads: { type: 'string', default: '1000000' },
      workers: { type: 'string' },
      actors: { type: 'string', default: '3' },
      writes: { type: 'string', default: '3' },
      replicas: { type: 'string', default: '0' },
      help: { type: 'boolean', short: 'h', default: false }
    }
  })
  if (help) return undefined
  return {
    reads: whole('reads', reads, 1_000_000_000),
    workers: workers === undefined ? undefined : whole('workers', workers, 64),
    actors: whole('actors', actors, 50),
    writes: whole('writes', writes, 100),
    replicas: whole('replicas', replicas, 5)
  }
}

async function bench ({ workers, replicas: count, ...options }: Options): Promise<void> {
  await using replicated = count === 0 ? undefined : await startReplicated(count)
  if (replicated !== undefined) process.env['DATABASE_URL'] = replicated.url
  say('seeding the database')
  await using database = await makeDatabase({ embedded: false, keep: false, layout: 'interleaved' }, 'obra_freshness', size)
  const { DATABASE_URL: url } = database.env
  if (url === undefined) throw new Error('only one process can open the embedded database: start a PostgreSQL or set DATABASE_URL')
  const replicas: Record<string, string> = replicated === undefined ? {} : { DATABASE_REPLICAS: await replicated.replicate(new URL(url).pathname) }
  const ports = [await freePort(), await freePort()].map(String) as [string, string]
  await using first = await startObra(database, { ...replicas, WORKERS: String(workers ?? 1), METRICS_PORT: ports[0] })
  await using second = workers === undefined ? await startObra(database, { ...replicas, METRICS_PORT: ports[1] }) : undefined
  await allAnswer(first.url, workers ?? 1)
  const origins = [first, second].flatMap(server => server === undefined ? [] : [server.url])
  const pool = new pg.Pool({ connectionString: url, max: 4, options: superuserOptions })

  const report = emptyReport()
  const ended = new AbortController()
  const disturbed = replicated?.disturb(randomFrom(5), ended.signal)
  const started = performance.now()
  const progress = setInterval(() => say(`${report.total.toLocaleString('en')} of ${options.reads.toLocaleString('en')} reads, ${report.violated} violations`), 10_000)
  try {
    await checkFreshness({ ...options, origins, tokens: database.tokens, psql: async (text, values) => await pool.query(text, values) }, report)
  } finally {
    clearInterval(progress)
    await pool.end()
    ended.abort()
  }
  const disturbances = await disturbed ?? new Map()
  const seconds = (performance.now() - started) / 1000
  const processes = workers === undefined ? 'two servers' : `one server of ${workers} workers`
  process.stdout.write(`\n${database.kind}, ${size.companies} companies, ${size.companies * options.actors} actors, ${processes}; ${seconds.toFixed(0)} s, ${Math.round(report.total / seconds)} reads/s\n\n${table(report, disturbances, replicated === undefined ? new Map() : await readsByServer(second === undefined ? ports.slice(0, 1) : ports))}\n`)
  for (const violation of report.violations) say(violation)
  if (report.violated > 0) throw new Error(`${report.violated} violations`)
  if (report.processes.size !== (workers ?? origins.length)) throw new Error(`${report.processes.size} processes answered`)
}

/** Waits until this many processes answer. Workers start after the first one, and connections are distributed among the started ones. */
async function allAnswer (url: string, processes: number): Promise<void> {
  const answered = new Set<string>()
  for (const late = performance.now() + 60_000; answered.size < processes;) {
    if (performance.now() > late) throw new Error(`${answered.size} of ${processes} processes answer`)
    const connection = await open(url)
    answered.add((await connection.send('GET', '/api/v1/me/')).process)
    connection.close()
    await sleep(50)
  }
}

function table ({ reads, total, writes, processes, violated }: Report, disturbances: Map<string, number>, servers: Map<string, number>): string {
  const sorted = (counts: Map<string, number>) => [...counts].sort(([a], [b]) => a.localeCompare(b))
  const sum = (counts: Map<string, number>) => [...counts.values()].reduce((sum, number) => sum + number, 0)
  const rows: Array<[string, number]> = [
    ['reads', total], ...sorted(reads).map(([kind, number]): [string, number] => [`  ${kind}`, number]),
    ['writes', sum(writes)], ...sorted(writes).map(([kind, number]): [string, number] => [`  ${kind}`, number]),
    ['processes that answered', processes.size], ...sorted(processes).map(([id, number]): [string, number] => [`  ${id}`, number]),
    ...servers.size === 0 ? [] : [['reads of the database', sum(servers)], ...sorted(servers).map(([server, number]) => [`  ${server}`, number]), ['a replica', sum(disturbances)], ...sorted(disturbances).map(([kind, number]) => [`  ${kind}`, number])] as Array<[string, number]>,
    ['violations', violated]
  ]
  const width = Math.max(...rows.map(([name]) => name.length))
  return rows.map(([name, number]) => `${name.padEnd(width)}  ${number.toLocaleString('en').padStart(12)}\n`).join('')
}

function say (line: string): void {
  process.stderr.write(`freshness: ${line}\n`)
}

try {
  const options = readOptions()
  if (options === undefined) process.stdout.write(help)
  else await bench(options)
} catch (error) {
  say(`failed: ${(error as Error).message}`)
  process.exitCode = 1
}
