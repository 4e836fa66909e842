import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { superuserOptions } from '../../../src/trial/superuser.ts'
import type { Cluster } from '../../../src/trial/cluster.ts'
import type { Psql } from './integrity.ts'
import { trial, type Verdict } from './trial.ts'

/** How an outage begins and ends. */
interface Outage {
  begin: (cluster: Cluster) => Promise<void> | void
  end: (cluster: Cluster) => Promise<void> | void
}

async function asSuperuser (cluster: Cluster, ...statements: string[]): Promise<void> {
  const client = new pg.Client({ connectionString: cluster.url, connectionTimeoutMillis: 5000, options: superuserOptions })
  await client.connect()
  try {
    for (const statement of statements) await client.query(statement)
  } finally {
    await client.end()
  }
}

const cut = 'select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and backend_type = \'client backend\''

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

/** Repeats an outage of the database under load, then checks the database. */
export async function outage (name: string, cluster: Cluster, subject: { origin: string, tokens: string[], seed: number }, times: number, seconds: number, look: <T>(work: (psql: Psql) => Promise<T>) => Promise<T>): Promise<Aftermath> {
  const { begin, end } = outages[name] as Outage
  let slowestReturn = 0
  const verdict = await trial({ origin: () => subject.origin, tokens: subject.tokens, patience: 40_000, seed: subject.seed }, 4, async written => {
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
  }, look)
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
