import { setTimeout as sleep } from 'node:timers/promises'
import { makeDatabase } from '../../support/trial/database.ts'
import { randomFrom, type Random } from '../../support/trial/random.ts'
import { readsByServer, startReplicated } from '../../support/trial/replicated.ts'
import { freePort } from '../../support/trial/server.ts'
import { startObra } from '../../support/trial/start-obra.ts'
import { Client, exchangeOver } from '../kernel/client.ts'
import { underLoad, type Verdict } from '../kernel/load.ts'
import { connected } from '../kernel/psql.ts'
import { Report, sum } from '../kernel/report.ts'

/** Size of the database. */
const size = { companies: 20, contracts: 20_000, users: 20 }

/** Size of a trial. */
export interface FreshnessOptions {
  reads: number
  /** Percentage of steps that write. */
  writes: number
  /** Actors of each company. */
  actors: number
  /** Workers of one server; 0 for two servers. */
  workers: number
  /** Replicas that lag, stop, freeze and come back. */
  replicas: number
  seed: number
}

/** The result of a trial. */
export interface Freshness extends Verdict {
  /** Reads at a revision, by the server that answered, and what happened to replicas. */
  servers: Map<string, number>
  disturbances: Map<string, number>
}

/** Reads and writes through two servers, or one of several workers, on a database of many companies, and directly in SQL. */
export async function trial ({ reads, replicas: count, workers, seed, writes, actors }: FreshnessOptions): Promise<Freshness> {
  await using replicated = count === 0 ? undefined : await startReplicated(count)
  await using database = await makeDatabase({ embedded: false, keep: false, layout: 'interleaved' }, 'obra_freshness', size, replicated?.url)
  const { DATABASE_URL: url } = database.env
  if (url === undefined) throw new Error('only one process can open the embedded database')
  const replicas: Record<string, string> = replicated === undefined ? {} : { DATABASE_REPLICAS: await replicated.replicate(new URL(url).pathname) }
  const ports = [await freePort(), await freePort()].map(String) as [string, string]
  await using first = await startObra(database, { ...replicas, WORKERS: String(Math.max(1, workers)), METRICS_PORT: ports[0] })
  await using second = workers > 0 ? undefined : await startObra(database, { ...replicas, METRICS_PORT: ports[1] })
  await allAnswer(first.url, Math.max(1, workers))
  const origins = [first, second].flatMap(server => server === undefined ? [] : [server.url])

  const ended = new AbortController()
  const disturbed = replicated?.disturb(randomFrom(seed), ended.signal)
  const options = { exchange: (random: Random) => exchangeOver(origins, random), tokens: database.tokens, seed, actors, writes }
  const verdict = await connected(url, async psql => await underLoad({ ...options, psql, look: async work => await work(psql) },
    async ({ report, reach }) => await reach(() => sum(report.reads), reads)))
  ended.abort()
  const { bad, report: { processes } } = verdict
  if (processes.size !== (workers || origins.length)) bad.push(`${processes.size} processes answered`)
  const servers = replicated === undefined ? new Map<string, number>() : await readsByServer(second === undefined ? ports.slice(0, 1) : ports)
  return { ...verdict, servers, disturbances: await disturbed ?? new Map<string, number>() }
}

/** Waits until this many processes answer. Workers start after the first one, and connections are distributed among the started ones. */
async function allAnswer (url: string, processes: number): Promise<void> {
  const report = new Report(true)
  const { signal: abandoned } = new AbortController()
  for (const late = performance.now() + 60_000; report.processes.size < processes; await sleep(50)) {
    if (performance.now() > late) throw new Error(`${report.processes.size} of ${processes} processes answer`)
    const exchange = exchangeOver([url], Math.random)
    await new Client({ exchange, token: '', report, random: Math.random, patience: 10_000, abandoned }).once('GET', 'me/')
  }
}
