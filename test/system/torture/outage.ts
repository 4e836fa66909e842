import { setTimeout as sleep } from 'node:timers/promises'
import type { Cluster } from '../../support/trial/cluster.ts'
import { exchangeOver } from '../kernel/client.ts'
import { underLoad, type Verdict } from '../kernel/load.ts'
import { connected, looking } from '../kernel/psql.ts'

/** How an outage begins and ends. */
interface Outage {
  begin: (cluster: Cluster) => Promise<void> | void
  end: (cluster: Cluster) => Promise<void> | void
}

async function asSuperuser ({ url }: Cluster, ...statements: string[]): Promise<void> {
  await connected(url, async (psql) => {
    for (const statement of statements) await psql(statement)
  })
}

const cut = "select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and backend_type = 'client backend'"

/** All outages, by name. */
export const outages: Record<string, Outage> = {
  'stopped fast': { begin: async cluster => await cluster.stop('fast'), end: async cluster => await cluster.start() },
  'stopped immediate': { begin: async cluster => await cluster.stop('immediate'), end: async cluster => await cluster.start() },
  paused: { begin: cluster => cluster.pause(), end: cluster => cluster.resume() },
  'connections cut': { begin: async cluster => await asSuperuser(cluster, cut), end: () => {} },
  'disk full': {
    begin: cluster => cluster.fill(),
    async end (cluster) {
      cluster.empty()
      // If PostgreSQL could not write its log, it has stopped. It restarts by itself, or is started here.
      await reachable(cluster, 5000) || await cluster.start()
    }
  },
  'read-only': {
    begin: async cluster => await asSuperuser(cluster, 'alter system set default_transaction_read_only = on', 'select pg_reload_conf()'),
    end: async cluster => await asSuperuser(cluster, 'set default_transaction_read_only = off', 'alter system reset default_transaction_read_only', 'select pg_reload_conf()')
  }
}

/** The result of outages. */
export interface Aftermath extends Verdict {
  /** Longest time in ms from the database's first answer to a superuser until the service acknowledges a write. */
  slowestReturn: number
}

/** A server on a database, and the access tokens of Directors. */
interface Subject {
  origin: string
  tokens: string[]
  seed: number
}

/** Repeats an outage of the database under load. @param seconds its length */
export async function outage (name: string, cluster: Cluster, { origin, tokens, seed }: Subject, times: number, seconds: number): Promise<Aftermath> {
  const { begin, end } = outages[name]
  let slowestReturn = 0
  const look = async <T>(work: Parameters<typeof looking<T>>[1]) => await looking({ dataDir: '', env: { DATABASE_URL: cluster.url } }, work)
  const verdict = await underLoad({ exchange: random => exchangeOver([origin], random), tokens, seed, look }, async ({ written }) => {
    for (let time = 0; time < times; time++) {
      await written(20)
      await begin(cluster)
      await sleep(seconds * 1000)
      await end(cluster)
      await reachable(cluster, 60_000)
      const back = performance.now()
      await written(1)
      slowestReturn = Math.max(slowestReturn, performance.now() - back)
    }
    await written(20)
  })
  return { ...verdict, slowestReturn }
}

/** Whether a statement can run within this many ms. */
async function reachable (cluster: Cluster, patience: number): Promise<boolean> {
  for (const late = performance.now() + patience; performance.now() < late; await sleep(10)) {
    try {
      await asSuperuser(cluster, 'select 1')
      return true
    } catch {}
  }
  return false
}
