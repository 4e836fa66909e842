import type { FastifyInstance } from 'fastify'
import { Counter, Gauge, type Registry } from 'prom-client'

/** The reads at a revision by server, and the state of each replica. Without replicas, there are no series. */
export function readReplicas (app: FastifyInstance, registry: Registry): void {
  // The database is not there yet.
  const list = () => app.database.replicas.list
  registry.registerMetric(new Counter({
    name: 'obra_reads_total',
    help: 'Reads that a replica may answer, by the database that answered: primary, or host and port of a replica.',
    labelNames: ['server'],
    registers: [],
    collect () {
      this.reset()
      if (list().length > 0) this.inc({ server: 'primary' }, app.database.replicas.primaryReads)
      for (const { name, reads } of list()) this.inc({ server: name }, reads.answered)
    }
  }))
  registry.registerMetric(new Counter({
    name: 'obra_replica_misses_total',
    help: 'Reads that a replica did not answer, by reason: stale (it had another revision), failed.',
    labelNames: ['replica', 'reason'],
    registers: [],
    collect () {
      this.reset()
      for (const { name, reads } of list()) {
        this.inc({ replica: name, reason: 'stale' }, reads.stale)
        this.inc({ replica: name, reason: 'failed' }, reads.failed)
      }
    }
  }))
  registry.registerMetric(new Gauge({
    name: 'obra_replica_available',
    help: 'Whether this process uses the replica: 1 or 0.',
    labelNames: ['replica'],
    registers: [],
    collect () { for (const { name, health } of list()) this.set({ replica: name }, Number(health.isAvailable)) }
  }))
  registry.registerMetric(new Gauge({
    name: 'obra_replica_lag_seconds',
    help: 'Seconds by which the replica is behind the primary.',
    labelNames: ['replica'],
    registers: [],
    collect () { for (const { name, lag } of list()) this.set({ replica: name }, lag) }
  }))
}
