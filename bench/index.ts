import { hotCall } from './calls.ts'
import { readData } from './data.ts'
import { makeDatabase } from './database.ts'
import { get } from './http.ts'
import { help, readOptions, type Options } from './options.ts'
import type { Row } from './results.ts'
import { conclude, describe, fail, runOne, say, startInspected, startObra, startYardstick } from './run.ts'
import type { Server } from './server.ts'
import { randomOf, type Target, type Workload } from './workload.ts'
import { workloads, yardstick } from './workloads.ts'

/** Runs the yardstick, the workloads, and the yardstick again. */
async function bench (options: Options): Promise<void> {
  say('seeding the database')
  await using database = await makeDatabase(options)
  const { companies, contracts } = database.size
  say(describe(database))

  // Both servers use the same URL in links, so that their answers can be compared.
  const PUBLIC_URL = 'http://bench.example'
  const start = options.profile ? startInspected : startObra
  await using obra = await start(database, { PUBLIC_URL })
  await using uncached = database.shared ? await start(database, { PUBLIC_URL, PAGE_CACHE_MB: '0' }) : undefined
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
    rows.push(await runOne(workload, server, target(workload), options, { other: server === obra ? uncached : undefined }))
    if (rows.at(-1)?.errors !== 0) break
  }
  conclude('workloads', describe(database), rows, options)
}

try {
  const options = readOptions(workloads.map(({ name }) => name))
  const about = 'Measures the server against a bare Fastify route. Starts a server process and seeds a database,\non PostgreSQL if it answers.'
  const own = [
    '--embedded           use the embedded database',
    '--profile            write a flame graph of each workload and print the time by package and file'
  ]
  if (options === undefined) process.stdout.write(help('bench/index.ts', about, own, { Workloads: workloads }))
  else await bench(options)
} catch (error) {
  fail(error)
}
