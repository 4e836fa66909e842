import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool } from 'pg'
import type { Config } from '../../config.ts'
import { migrations } from '../../database/migrations/index.ts'
import { replicaPool, serviceCheck } from '../../database/orm.ts'
import { replicaProbe } from '../../database/replica.ts'
import type { Row } from '../../database/sql.ts'
import type { Query } from './database.ts'
import { findingsOf, type Finding } from './finding.ts'

/** Longest wait in ms for a replica to replay what the primary has. */
const longestLag = 2000

/** Checks each replica of DATABASE_REPLICAS: whether a server would use it, how far it is behind, and which share of reads it answers. */
export async function examineReplicas (config: Config, primary: Query): Promise<Finding[]> {
  const urls = config.DATABASE_REPLICAS?.split(',').map(url => url.trim()) ?? []
  if (urls.length === 0) return []
  const shares = await sharesOf(config)
  return await Promise.all(urls.map(async url => await examineReplica(url, primary, shares)))
}

async function examineReplica (url: string, primary: Query, shares: ReadonlyMap<string, string>): Promise<Finding> {
  const { ok, warning, failed } = findingsOf('replica')
  const { host } = new URL(url)
  const pool = replicaPool(url, 1, serviceCheck())
  try {
    const [{ position }] = await primary("select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8 as position") as [Row]
    const began = performance.now()
    for (;;) {
      const state = await stateOf(pool)
      if (state['position'] === null) return warning(`${host} is no replica: servers read from it only what it has in common with the primary`)
      const share = shares.get(host)
      const answers = share === undefined ? '' : `; it answers ${share} of the reads`
      const waited = Math.round(performance.now() - began)
      if (state['position'] >= position) {
        return state['is_migrated'] === true ? ok(`${host} is ${waited} ms behind or less${answers}`) : failed(`${host} lacks the last migration: it is a replica of another database`)
      }
      if (waited > longestLag) return warning(`${host} is ${position - state['position']} bytes behind after ${longestLag / 1000} s: servers read newer records from the primary${answers}`)
      await sleep(10)
    }
  } catch (error) {
    return failed(`${host} cannot be used: ${(error as Error).message}`)
  } finally {
    await pool.end()
  }
}

async function stateOf (pool: Pool): Promise<Row> {
  const { rows: [state] } = await pool.query<Row>(replicaProbe, [migrations.at(-1)?.name])
  return state as Row
}

/** The share of reads of each replica, from the metrics of the running server; empty without them. */
async function sharesOf ({ METRICS_PORT: port, METRICS_HOST: host }: Config): Promise<Map<string, string>> {
  if (port === undefined) return new Map()
  try {
    const metrics = await (await fetch(`http://${host}:${port}/metrics`, { signal: AbortSignal.timeout(2000) })).text()
    const counts = [...metrics.matchAll(/^obra_reads_total\{.*?server="([^"]+)".*?\} (\d+)/gm)].map(([, server, count]) => [server as string, Number(count)] as const)
    const total = counts.reduce((sum, [, count]) => sum + count, 0)
    return new Map(counts.map(([server, count]) => [server, `${Math.round(100 * count / Math.max(1, total))} %`]))
  } catch {
    return new Map()
  }
}
