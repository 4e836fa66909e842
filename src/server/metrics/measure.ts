import type { FastifyInstance } from 'fastify'
import type { Registry } from 'prom-client'
import { makeRegistry } from './registry.ts'
import { countRequests } from './request-metrics.ts'
import { readReplicas } from './replicas.ts'
import { readSafety } from './safety.ts'
import { readSequences } from './sequences.ts'
import { countDeliveries } from './webhooks.ts'
import { countWork, readGauges } from './work.ts'

/** Measures the work of a server. @param dataDir DATA_DIR @returns the metrics of this process */
export function measure (app: FastifyInstance, dataDir: string): Registry {
  const registry = makeRegistry()
  countRequests(app, registry)
  countWork(app, registry)
  readGauges(app, registry)
  countDeliveries(app, registry)
  readSequences(app, registry)
  readSafety(app, registry, dataDir)
  readReplicas(app, registry)
  return registry
}
