import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { readData, renewed, type User } from '../test/support/trial/data.ts'
import { makeDatabase } from '../test/support/trial/database.ts'
import { megabyte } from '../test/support/trial/machine.ts'
import type { Server } from '../test/support/trial/server.ts'
import { startObra } from '../test/support/trial/start-obra.ts'
import type { Download } from './download.ts'
import { withFlags } from './flags.ts'
import { readPages } from './read-pages.ts'
import { quantiles, Report } from './report.ts'
import { median } from '../test/support/trial/percentile.ts'

const help = `node bench/exports.ts [options]

Exports a list of contracts as CSV, and prints its time, the memory of the server before and at its highest, and the times of another
user's pages:
without exports, during exports of another server process, which only shares the machine and the database, and during exports of the same
process. Exits with 1 if an export takes more than 10 s or 30 MB, or lacks rows.

  --contracts N   contracts of the company (100000)
  --exports N     exports of each process, by turns (5)
  --embedded      use the embedded database, which has no other process
`

const bounds = { seconds: 10, megabytes: 30 }

/** Time in ms of pages before the exports of a round. */
const beforeMs = 3000

/** Downloads a CSV file in another thread, so that receiving it does not delay the measured pages. */
async function download (url: string, headers: User['headers']): Promise<Download> {
  const worker = new Worker(new URL('./download.ts', import.meta.url), { workerData: { url, headers } })
  const [answer] = await once(worker, 'message')
  await once(worker, 'exit')
  return answer
}

async function exports (contracts: number, rounds: number, embedded: boolean): Promise<void> {
  await using stack = new AsyncDisposableStack()
  const database = stack.use(await makeDatabase({ embedded }, 'obra_exports', { companies: 1, contracts, users: 1 }))
  const server = stack.use(await startObra(database))
  const neighbour = embedded ? undefined : stack.use(await startObra(database))
  const { users: [user] } = await readData(server.url, database.tokens.map(token => renewed(token)))
  if (user === undefined) throw new Error('the database has no user')
  const report = new Report('exports', database.kind)

  const seconds: number[] = []
  const times: Record<'before' | 'beside' | 'during', number[]> = { before: [], beside: [], during: [] }
  let lowest = Infinity
  let highest = 0
  let size = 0
  const exportFrom = async (from: Server) => {
    let isDone = false
    const began = performance.now()
    const pages = readPages(server, user, () => isDone)
    const { status, rows, bytes } = await download(`${from.url}/api/v1/contracts/?format=csv`, user.headers)
    isDone = true
    if (status !== 200 || rows !== contracts) throw new Error(`the export was answered by ${status} with ${rows} rows`)
    size = bytes
    return { took: (performance.now() - began) / 1000, ...await pages }
  }
  for (let round = 0; round < rounds; round++) {
    const until = performance.now() + beforeMs
    const usual = await readPages(server, user, () => performance.now() > until)
    times.before.push(...usual.times)
    lowest = Math.min(lowest, usual.megabytes)
    if (neighbour !== undefined) times.beside.push(...(await exportFrom(neighbour)).times)
    const own = await exportFrom(server)
    times.during.push(...own.times)
    seconds.push(own.took)
    highest = Math.max(highest, own.megabytes)
  }
  report.add('size of the file', { MB: size / megabyte })
  report.add('pages without exports', quantiles(times.before))
  if (neighbour !== undefined) report.add('pages during exports of another process', quantiles(times.beside))
  report.add('pages during exports of the process', quantiles(times.during))
  report.add('export', { 'median s': median(seconds) }, `bound ${bounds.seconds} s`)
  const more = highest - lowest
  report.add('memory before', { MB: lowest })
  report.add('more memory', { MB: more }, `bound ${bounds.megabytes} MB`)
  report.keep()
  if (median(seconds) > bounds.seconds || more > bounds.megabytes) process.exitCode = 1
}

const numbers: Record<'contracts' | 'exports', [number, number]> = { contracts: [100_000, 100_000], exports: [5, 100] }
await withFlags(help, numbers, ['embedded'], async ({ contracts, exports: rounds, embedded }) => await exports(contracts, rounds, embedded))
