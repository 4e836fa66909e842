import { collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import manifest from '../../../package.json' with { type: 'json' }

/** A registry with the metrics of every process: memory, processor time, event loop, garbage collection, versions. */
export function makeRegistry (): Registry {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  // Gauges with the names of counters. The same numbers by type have valid names.
  for (const kind of ['handles', 'requests', 'resources']) registry.removeSingleMetric(`nodejs_active_${kind}_total`)
  const build = new Gauge({
    name: 'obra_build_info',
    help: 'Always 1; the labels are the versions of Obra and Node.js.',
    labelNames: ['version', 'node'],
    registers: [registry]
  })
  build.set({ version: manifest.version, node: process.version }, 1)
  return registry
}
