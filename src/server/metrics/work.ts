import type { FastifyInstance } from 'fastify'
import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import { contention, pageReads, passwordAttempts, purgeBatches, purgeRuns, turnRuns } from '../../database/connection/channels.ts'

/** Bounds of histograms: requests of a turn, and seconds at the database of a turn and of a batch of the purge. */
const sizeBuckets = [1, 2, 4, 8, 16, 32, 64, 128, 256, 500, 1000]
const turnBuckets = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 30]
const purgeBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5]

/** Counts the events of the diagnostics channels. */
export function countWork (app: FastifyInstance, registry: Registry): void {
  const registers = [registry]
  const sizes = new Histogram({
    name: 'obra_turn_size',
    help: 'Requests that a turn answered together.',
    labelNames: ['turn'],
    buckets: sizeBuckets,
    registers
  })
  const durations = new Histogram({
    name: 'obra_turn_duration_seconds',
    help: 'Duration of a turn at the database.',
    labelNames: ['turn'],
    buckets: turnBuckets,
    registers
  })
  const reads = { hit: 0, miss: 0, unchanged: 0 }
  registry.registerMetric(new Counter({
    name: 'obra_page_reads_total',
    help: 'Reads by outcome: hit (page cache), miss (database), unchanged (304).',
    labelNames: ['outcome'],
    registers: [],
    collect () { readCounts(this, reads) }
  }))
  const clashes = new Counter({
    name: 'obra_write_conflicts_total',
    help: 'Write conflicts: overtaken (repeated as a unit of work after another write), ' +
      'retried (transaction repeated after a deadlock or serialization failure).',
    labelNames: ['kind'],
    registers
  })
  const attempts = new Counter({
    name: 'obra_password_attempts_total',
    help: 'Password checks by outcome: succeeded, failed, throttled.',
    labelNames: ['outcome'],
    registers
  })
  for (const kind of ['overtaken', 'retried']) clashes.inc({ kind }, 0)
  for (const outcome of ['succeeded', 'failed', 'throttled']) attempts.inc({ outcome }, 0)

  const purged = new Counter({ name: 'obra_purged_rows_total', help: 'Expired rows removed, by table.', labelNames: ['table'], registers })
  const batches = new Histogram({
    name: 'obra_purge_batch_duration_seconds',
    help: 'Duration of a batch of the purge at the database.',
    buckets: purgeBuckets,
    registers
  })
  const lastPurge = new Gauge({
    name: 'obra_purge_last_run_timestamp_seconds',
    help: 'When this process last completed a purge; 0 before the first one.',
    registers
  })

  const onTurn = ({ turn, size, seconds }: { turn: string, size: number, seconds: number }) => {
    sizes.observe({ turn }, size)
    durations.observe({ turn }, seconds)
  }
  // Runs for each request. prom-client's counter would look up its label each time.
  const onPage = (outcome: keyof typeof reads) => { reads[outcome]++ }
  const onConflict = (kind: string) => clashes.inc({ kind })
  const onAttempt = (outcome: string) => attempts.inc({ outcome })
  const onPurgeBatch = ({ table, removed, seconds }: { table: string, removed: number, seconds: number }) => {
    purged.inc({ table }, removed)
    batches.observe(seconds)
  }
  const onPurgeRun = (at: number) => lastPurge.set(at)
  turnRuns.subscribe(onTurn)
  pageReads.subscribe(onPage)
  contention.subscribe(onConflict)
  passwordAttempts.subscribe(onAttempt)
  purgeBatches.subscribe(onPurgeBatch)
  purgeRuns.subscribe(onPurgeRun)
  app.addHook('onClose', async () => {
    turnRuns.unsubscribe(onTurn)
    pageReads.unsubscribe(onPage)
    contention.unsubscribe(onConflict)
    passwordAttempts.unsubscribe(onAttempt)
    purgeBatches.unsubscribe(onPurgeBatch)
    purgeRuns.unsubscribe(onPurgeRun)
  })
}

function readCounts (counter: Counter<'outcome'>, counts: Record<string, number>): void {
  counter.reset()
  for (const [outcome, count] of Object.entries(counts)) counter.inc({ outcome }, count)
}

/** Gauges that are read at each scrape: connections and page cache. */
export function readGauges (app: FastifyInstance, registry: Registry): void {
  for (const gauge of [
    new Gauge({
      name: 'obra_page_cache_bytes',
      help: 'Memory used by the page cache.',
      registers: [],
      collect () { this.set(app.pageCacheBytes()) }
    }),
    new Gauge({
      name: 'obra_database_waiting',
      help: 'Operations that wait for a connection to the database.',
      registers: [],
      collect () { this.set(app.database.pool.waitingCount) }
    }),
    new Gauge({
      name: 'obra_database_connections',
      help: 'Connections to the database by state: used, idle.',
      labelNames: ['state'],
      registers: [],
      collect () {
        const { totalCount, idleCount } = app.database.pool
        this.set({ state: 'idle' }, idleCount)
        this.set({ state: 'used' }, totalCount - idleCount)
      }
    })
  ]) registry.registerMetric(gauge)
}
