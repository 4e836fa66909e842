import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { makeCluster, type Cluster } from './cluster.ts'
import { pick, type Random } from './random.ts'

/** Longest lag of a replica in ms. */
const longestLag = 5000

/** A primary and its replicas, which can be disturbed. */
export interface Replicated extends AsyncDisposable {
  /** URL of the primary, as superuser. */
  url: string
  /** Starts the replicas. @returns DATABASE_REPLICAS for a database of the primary */
  replicate: (database: string) => Promise<string>
  /** Lets each replica lag by up to 5 s, stop or freeze, and recover, until the signal is aborted. @returns how often */
  disturb: (random: Random, signal: AbortSignal) => Promise<Map<string, number>>
}

/** Starts PostgreSQL servers of its own: a primary and, later, this many replicas. */
export async function startReplicated (count: number): Promise<Replicated> {
  await using undo = new AsyncDisposableStack()
  const primary = undo.use(await makeCluster('2g'))
  const ends = undo.move()
  const replicas: Cluster[] = []
  return {
    url: primary.url,
    async replicate (database) {
      for (let n = 0; n < count; n++) replicas.push(ends.use(await makeCluster('2g', primary.url)))
      return replicas.map(({ url }) => Object.assign(new URL(url), { pathname: database }).href).join()
    },
    async disturb (random, signal) {
      const done = new Map<string, number>()
      await Promise.all(replicas.map(async replica => await disturbOne(replica, random, signal, done)))
      return done
    },
    [Symbol.asyncDispose]: async () => await ends.disposeAsync()
  }
}

async function disturbOne (replica: Cluster, random: Random, signal: AbortSignal, done: Map<string, number>): Promise<void> {
  const pause = async (least: number, most: number) => { await sleep(least + random() * (most - least), undefined, { signal }).catch(() => {}) }
  const kinds: Record<string, () => Promise<void>> = {
    async lags () {
      await setDelay(replica, Math.round(random() * longestLag))
      await pause(1000, 6000)
      await setDelay(replica, 0)
    },
    async stops () {
      await replica.stop(pick(['fast', 'immediate'], random))
      await pause(200, 3000)
      await replica.start()
    },
    async freezes () {
      replica.pause()
      await pause(200, 5000)
      replica.resume()
    }
  }
  while (!signal.aborted) {
    await pause(500, 4000)
    if (signal.aborted) return
    const [name, run] = pick(Object.entries(kinds), random)
    await run()
    done.set(name, (done.get(name) ?? 0) + 1)
  }
}

/** Delays the replay of commits. */
async function setDelay ({ url }: Cluster, milliseconds: number): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(`alter system set recovery_min_apply_delay = ${milliseconds}`)
    await client.query('select pg_reload_conf()')
  } finally {
    await client.end()
  }
}

/** The reads at a revision by the server that answered, of all these server processes. */
export async function readsByServer (ports: string[]): Promise<Map<string, number>> {
  const counts = new Map<string, number>()
  for (const port of ports) {
    const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
    for (const [, server = '', reads] of metrics.matchAll(/^obra_reads_total\{.*?server="([^"]+)".*?\} (\d+)/gm)) counts.set(server, (counts.get(server) ?? 0) + Number(reads))
  }
  return counts
}
