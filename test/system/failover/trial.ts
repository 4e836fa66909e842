import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { runScript } from '../../support/trial/child.ts'
import type { Random } from '../../support/trial/random.ts'
import { readsByServer } from '../../support/trial/replicated.ts'
import { freePort } from '../../support/trial/server.ts'
import { exchangeOver } from '../kernel/client.ts'
import { underLoad, type Verdict } from '../kernel/load.ts'
import { logIn, server } from '../kernel/process.ts'
import { connected, type Psql } from '../kernel/psql.ts'
import { sum, type Report } from '../kernel/report.ts'
import { Log } from './log.ts'
import { startStack, type Stack } from './stack.ts'
import { ways } from './ways.ts'

/** One failure of a leader. */
export interface Failure {
  way: string
  /** Whether another machine became the leader. */
  isReplaced: boolean
  /** Longest time in ms without an acknowledged write. */
  outage: number
  /** Time in ms from the failure until the machine was a standby again. */
  repair: number
}

/** The result of a trial. */
export interface Result extends Verdict {
  failures: Failure[]
  /** Reads at a revision, by the server that answered. */
  reads: Map<string, number>
}

/** Times in ms: load before each failure, the longest outage and request, and the waits after which a trial is given up. */
const times = { calm: 3000, outage: 30_000, request: 32_000, write: 90_000, health: 150_000 }

const secret = 'a signing key for the failover trial'

/**
 * Runs the documented stack with two servers under load, and lets its leader fail.
 * @param count number of failures, in all ways in turn
 * @param progress gets a line for each failure
 */
export async function trial (count: number, seed: number, progress: (line: string) => void = () => {}): Promise<Result> {
  await using undo = new AsyncDisposableStack()
  const stack = undo.use(await startStack())
  const log = new Log()
  const folder = mkdtempSync(join(tmpdir(), 'obra-failover-'))
  undo.defer(() => rmSync(folder, { recursive: true }))
  const { origins, metricsPorts } = await startServers(stack, folder, log, undo)
  const [url = ''] = stack.urls('postgres', stack.password, 'obra')
  const look = async <T>(work: (psql: Psql) => Promise<T>) => await connected(url, work)
  const failures: Failure[] = []

  const options = { exchange: (random: Random) => exchangeOver(origins, random), tokens: await logIn(origins[0]), seed, actors: 6, pause: 120, patience: times.write, look }
  const { report, bad } = await underLoad(options, async ({ report, audit }) => {
    for (let round = 0; round < count; round++) {
      await sleep(times.calm)
      const way = Object.keys(ways)[round % Object.keys(ways).length]
      try {
        const done = await fail(stack, way, report)
        failures.push(done)
        if (done.outage > times.outage) report.findings.push(`${way}: no write was acknowledged for ${Math.round(done.outage)} ms`)
        await look(audit)
        const outcome = `${done.isReplaced ? '' : ', same leader'}: ${(done.outage / 1000).toFixed(1)} s without writes, standby again after ${(done.repair / 1000).toFixed(1)} s`
        progress(`${failures.length}. ${way}${outcome}; ${report.acknowledged.length} writes, ${sum(report.answers)} answers, ${report.findings.length} findings`)
      } catch (error) {
        report.findings.push(`given up: ${(error as Error).message}`)
        break
      }
    }
    await sleep(times.calm)
  })
  if (report.slowest > times.request) bad.push(`a request took ${Math.round(report.slowest)} ms`)
  const reads = await readsByServer(metricsPorts)
  if ([...reads].filter(([server, count]) => server !== 'primary' && count > 0).length < 2) bad.push(`replicas answered no reads: ${JSON.stringify([...reads])}`)
  return { failures, report, reads, bad: bad.map(line => log.explain(line)) }
}

/** Creates the database as documented, with the demo data, and starts a server on each HAProxy. @returns their origins and ports of metrics */
async function startServers (stack: Stack, folder: string, log: Log, undo: AsyncDisposableStack): Promise<{ origins: string[], metricsPorts: string[] }> {
  await stack.onLeader('postgres', "create role obra login createrole password 'owner'", 'create database obra owner obra')
  const [owner = ''] = stack.urls('obra', 'owner', 'obra')
  const env = { JWT_SECRET: secret, LOG_LEVEL: 'warn' }
  const first = await server({ dir: folder, env: { ...env, DATABASE_URL: owner } })
  await first.stop()
  await stack.onLeader('obra', "create role obra_server login password 'server'")
  await runScript('src/cli/obra.ts', ['migrate', '--login', 'obra_server'], { DATABASE_URL: owner }, 60)
  const replicas = stack.machineUrls('obra_server', 'server', 'obra').join()
  const metricsPorts = [String(await freePort()), String(await freePort())]
  const servers = await Promise.all(stack.urls('obra_server', 'server', 'obra').map(async (url, index) => {
    const own = { NODE_ENV: 'production', WEBHOOKS: 'off', DATABASE_URL: url, DATABASE_REPLICAS: replicas, METRICS_PORT: metricsPorts[index] }
    return undo.use(await server({ dir: folder, env: { ...env, ...own } }, { onOutput: log.reader() }))
  }))
  return { origins: servers.map(({ origin }) => origin), metricsPorts }
}

/** Lets the leader fail, waits for writes, repairs its machine, and waits until that is a standby. @throws {Error} if writes or the standby do not come back */
async function fail (stack: Stack, way: string, report: Report): Promise<Failure> {
  const { begin, end } = ways[way]
  const leader = await stack.leader()
  if (leader === undefined) throw new Error('there is no leader')
  const at = performance.now()
  await begin(leader)
  try {
    // Writes can succeed for a moment until the failure takes effect, so the wait begins again until a leader exists.
    for (let isBack = false; !isBack; await sleep(100)) {
      isBack = report.wroteSince(at + 1000) && await stack.leader() !== undefined
      if (!isBack && performance.now() > at + times.write) throw new Error(`${way}: no write was acknowledged for ${times.write} ms\n${stack.logs()}`)
    }
  } finally {
    await end(leader)
  }
  const isReplaced = await stack.leader() !== leader
  await stack.healthy(times.health)
  return { way, isReplaced, outage: report.outageSince(at), repair: performance.now() - at }
}
