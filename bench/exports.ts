import { setTimeout as sleep } from 'node:timers/promises'
import { readData, renewed, type User } from '../src/trial/data.ts'
import { makeDatabase } from '../src/trial/database.ts'
import { get } from '../src/trial/http.ts'
import { megabyte } from '../src/trial/machine.ts'
import type { Server } from '../src/trial/server.ts'
import { startObra } from '../src/trial/start-obra.ts'
import { withFlags } from './flags.ts'
import { median, quantiles, report } from './report.ts'

const help = `node bench/exports.ts [options]

Exports a list of contracts as CSV, and prints its time, the memory of the server before and at its highest, and the times of another user's pages with
and without an export. Exits with 1 if an export takes more than 10 s or 30 MB, or lacks rows.

  --contracts N   contracts of the company (100000)
  --exports N     exports, one after the other (3)
  --embedded      use the embedded database
`

const bounds = { seconds: 10, megabytes: 30 }

/** Pause in ms between two pages. */
const interval = 20

/** Requests pages until `done` is set, and measures the highest memory. @returns times in ms, and MB */
async function readPages (server: Server, { headers }: User, done: () => boolean): Promise<{ times: number[], megabytes: number }> {
  const times: number[] = []
  let megabytes = 0
  for (let page = 1; !done(); page++) {
    const began = performance.now()
    // Another page each time, so that none is cached.
    await get(server.url, { path: `/api/v1/contracts/?page_size=20&page=${1 + page % 50}`, headers })
    times.push(performance.now() - began)
    megabytes = Math.max(megabytes, server.usage().memory / megabyte)
    await sleep(interval)
  }
  return { times, megabytes }
}

async function exports (contracts: number, rounds: number, embedded: boolean): Promise<void> {
  await using stack = new AsyncDisposableStack()
  const database = stack.use(await makeDatabase({ embedded }, 'obra_exports', { companies: 1, contracts, users: 1 }))
  const server = stack.use(await startObra(database))
  const { users: [user] } = await readData(server.url, database.tokens.map(token => renewed(token)))
  if (user === undefined) throw new Error('the database has no user')
  report('database', database.kind)

  const until = performance.now() + 5000
  const before = await readPages(server, user, () => performance.now() > until)
  report('pages without an export', quantiles(before.times, 1))
  const seconds: number[] = []
  const others: number[] = []
  let highest = 0
  for (let round = 0; round < rounds; round++) {
    let isDone = false
    const began = performance.now()
    const pages = readPages(server, user, () => isDone)
    const answer = await fetch(`${server.url}/api/v1/contracts/?format=csv`, { headers: user.headers })
    const text = await answer.text()
    isDone = true
    seconds.push((performance.now() - began) / 1000)
    const { times, megabytes } = await pages
    others.push(...times)
    highest = Math.max(highest, megabytes)
    const rows = text.split('\r\n').length - 2
    if (!answer.ok || rows !== contracts) throw new Error(`the export was answered by ${answer.status} with ${rows} rows`)
    if (round === 0) report('size of the file', `${(Buffer.byteLength(text) / megabyte).toFixed(1)} MB`)
  }
  report('pages during exports', quantiles(others, 1))
  report('export', `${median(seconds).toFixed(1)} s; bound ${bounds.seconds} s`)
  const more = highest - before.megabytes
  report('memory', `${before.megabytes.toFixed(0)} MB before, at most ${more.toFixed(0)} MB more; bound ${bounds.megabytes} MB`)
  if (median(seconds) > bounds.seconds || more > bounds.megabytes) process.exitCode = 1
}

await withFlags(help, { contracts: [100_000, 100_000], exports: [3, 100] }, ['embedded'], async ({ contracts, exports: rounds, embedded }) => await exports(contracts, rounds, embedded))
