import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { compareAnswers } from './compare.ts'
import { readData } from './data.ts'
import { makeDatabase } from './database.ts'
import { get } from './http.ts'
import { first, measure } from './load.ts'
import { help, readOptions, type Options } from './options.ts'
import { doubts, table, write, type Row } from './report.ts'
import { startServer, type Server } from './server.ts'
import { hotCall, randomOf, workloads, yardstick, type Target, type Workload } from './workloads.ts'

/** The bench: a run is the yardstick, the workloads, the yardstick again. */
async function bench (options: Options): Promise<void> {
  say('seeding the database')
  await using database = await makeDatabase(options)
  const { companies, contracts, users } = database.size
  const described = `${database.kind}: ${companies} companies × ${contracts / companies} contracts, ${users} users`
  say(described)

  // The URLs in both servers' answers are the same, so that answers can be compared.
  const env = { ...database.env, LOG_LEVEL: 'warn', RATE_LIMIT: 'off', PUBLIC_URL: 'http://bench.example' }
  await using obra = await startServer('src/server.ts', env)
  await using uncached = database.shared ? await startServer('src/server.ts', { ...env, PAGE_CACHE_MB: '0' }) : undefined
  const data = await readData((uncached ?? obra).url, database.tokens)
  const target = (workload: Workload): Target => ({ server: obra.url, data, random: randomOf(workload), perCompany: contracts / companies })

  const hot = (await get(obra.url, hotCall(target(workloads[0] as Workload)))).bytes
  await using bare = await startYardstick(hot)

  const chosen = workloads.filter(workload => options.only?.includes(workload.name) ?? (workload.uncached !== true || uncached !== undefined))
  const plan: Array<[Workload, Server]> = [
    [yardstick('yardstick', hot), bare],
    ...chosen.map((workload): [Workload, Server] => [workload, workload.uncached === true ? uncached ?? obra : obra]),
    [yardstick('yardstick again', hot), bare]
  ]
  const rows: Row[] = []
  for (const [workload, server] of plan) {
    rows.push(await runOne(workload, server, target(workload), options, server === obra ? uncached : undefined))
    if (rows.at(-1)?.errors !== 0) break
  }

  const result = { database: described, duration: options.duration, rows }
  process.stdout.write(`\n${described}\n${options.duration} s each, ${options.connections} connections; ratio is to the yardstick\n\n${table(result)}\n\n`)
  for (const doubt of doubts(rows)) say(`do not trust these figures: ${doubt}`)
  say(`written to ${write(result)}`)
  const failed = rows.find(row => row.errors > 0)
  if (failed !== undefined) throw new Error(`${failed.name}: ${failed.firstError}\n${obra.said()}`)
}

/** @param other a server whose answers must be the same */
async function runOne (workload: Workload, server: Server, target: Target, options: Options, other?: Server): Promise<Row> {
  const { name, about, status, connections = options.connections } = workload
  say(`${name}: ${about}`)
  const calls = await workload.calls(target)
  const answer = await first(server, calls)
  if (answer.status !== status) throw new Error(`${name}: ${answer.status} instead of ${status}\n${answer.bytes.toString().slice(0, 1000)}`)
  workload.check(answer, target)
  const comparing = other === undefined ? undefined : compareAnswers(server, other, calls)
  const measured = await measure(server, { calls, status, connections, duration: options.duration, random: target.random, beside: workload.beside?.(target) })
  const compared = await comparing?.stop()
  return { name, about, connections, yardstick: name.startsWith('yardstick'), compared, ...measured, rate: measured.rate * (workload.records ?? 1) }
}

async function startYardstick (hot: Buffer): Promise<Server> {
  const folder = mkdtempSync(join(tmpdir(), 'obra-yardstick-'))
  try {
    const file = join(folder, 'hot-list.json')
    writeFileSync(file, hot)
    return await startServer('bench/yardstick.ts', {}, [file])
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function say (line: string): void {
  process.stderr.write(`bench: ${line}\n`)
}

try {
  const options = readOptions(workloads.map(({ name }) => name))
  if (options === undefined) process.stdout.write(help(workloads))
  else await bench(options)
} catch (error) {
  say(`failed: ${(error as Error).message}`)
  process.exitCode = 1
}
