import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool } from 'pg'
import type { Config } from '../../config.ts'
import { urlsOf } from '../../config/formats.ts'
import { declared } from '../../domain/entities/declared.ts'
import { addressName, replicaCheck, replicaPool } from '../../database/connection/orm.ts'
import { primaryProbe, replicaProbe } from '../../database/replicas/replica.ts'
import type { Row } from '../../database/connection/sql.ts'
import type { Query } from './query.ts'
import { findingsOf, type Finding } from './finding.ts'
import { messageOf } from '../../files/errors.ts'

/** Longest wait in ms for a replica to replay what the primary has. */
const longestLag = 2000

/** SQL of what identifies a running server, although it may have several addresses. */
const identity = 'select pg_postmaster_start_time()::text as started'

/** Checks each replica of DATABASE_REPLICAS: whether a server would use it, how far it is behind, and which share of reads it answers. */
export async function examineReplicas (config: Config, primary: Query): Promise<Finding[]> {
  const urls = urlsOf(config.DATABASE_REPLICAS)
  if (urls.length === 0) return []
  const shares = await readShares(config)
  const [state] = await primary(`select * from (${primaryProbe}) p, (${identity}) i`)
  return await Promise.all(urls.map(async url => await examineReplica(url, state, shares)))
}

async function examineReplica (url: string, { position, started }: Row, shares: ReadonlyMap<string, string>): Promise<Finding> {
  const { ok, warning, failed } = findingsOf('replica')
  const pool = replicaPool(url, 1, replicaCheck())
  const name = addressName(pool)
  try {
    const began = performance.now()
    for (;;) {
      const state = await stateOf(pool)
      if (state['position'] === null) {
        return state['started'] === started
          ? ok(`${name} is the primary now: servers do not read from it as a replica`)
          : warning(`${name} is no replica: servers do not read from it`)
      }
      const share = shares.get(name)
      const answers = share === undefined ? '' : `; it answers ${share} of the reads`
      const waited = Math.round(performance.now() - began)
      if (state['position'] >= position) {
        return state['is_migrated'] === true
          ? ok(`${name} is ${waited} ms behind or less${answers}`)
          : failed(`${name} lacks the last migration: it is a replica of another database`)
      }
      if (waited > longestLag) {
        const bytes = position - state['position']
        const fact = `${name} is ${bytes} bytes behind after ${longestLag / 1000} s`
        return warning(`${fact}: servers read newer records from the primary${answers}`)
      }
      await sleep(10)
    }
  } catch (error) {
    return failed(`${name} cannot be used: ${messageOf(error)}`)
  } finally {
    await pool.end()
  }
}

async function stateOf (pool: Pool): Promise<Row> {
  const { rows: [state] } = await pool.query<Row>(`select * from (${replicaProbe}) p, (${identity}) i`, [declared.version])
  return state
}

/** The share of reads of each replica, from the metrics of the running server; empty without them. Each worker has its own series. */
async function readShares ({ METRICS_PORT: port, METRICS_HOST: host }: Config): Promise<Map<string, string>> {
  if (port === undefined) return new Map()
  try {
    const metrics = await (await fetch(`http://${host}:${port}/metrics`, { signal: AbortSignal.timeout(2000) })).text()
    const counts = new Map<string, number>()
    for (const [, server = '', count] of metrics.matchAll(/^obra_reads_total\{.*?server="([^"]+)".*?\} (\d+)/gm)) {
      counts.set(server, (counts.get(server) ?? 0) + Number(count))
    }
    const total = [...counts.values()].reduce((sum, count) => sum + count, 0)
    return new Map([...counts].map(([server, count]) => [server, `${Math.round(100 * count / Math.max(1, total))} %`]))
  } catch {
    return new Map()
  }
}
