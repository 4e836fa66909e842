import type { Worker } from 'node:cluster'
import { once } from 'node:events'
import { Gauge, AggregatorRegistry, type MetricObjectWithValues, type MetricValue, type Registry } from 'prom-client'
import { makeRegistry } from './registry.ts'

type Measured = MetricObjectWithValues<MetricValue<string>>

const question = 'metrics?'
const timeout = 2000

/** Answers a worker's primary, which asks at each scrape. */
export function answerPrimary (registry: Registry): void {
  process.on('message', async (message) => {
    if (message === question) process.send?.({ metrics: await registry.getMetricsAsJSON() })
  })
}

/**
 * The metrics of all workers and of the primary, with the label `worker`. They are not summed: the counters of a replaced worker restart at
 * zero, which Prometheus handles by series, but a lower sum would look like a restart of all.
 */
export class WorkersMetrics {
  readonly #own = makeRegistry()
  readonly #up = new Gauge({
    name: 'obra_worker_up',
    help: 'Whether the worker answered this scrape.',
    labelNames: ['worker'],
    registers: [this.#own]
  })

  /** @param workers by position, from 1 */
  async read (workers: ReadonlyMap<number, Worker>): Promise<Registry> {
    const measured = await Promise.all([...workers].map(async ([position, worker]) => {
      const metrics = await ask(worker)
      this.#up.set({ worker: position }, metrics === undefined ? 0 : 1)
      return labelled(String(position), metrics ?? [])
    }))
    return AggregatorRegistry.aggregate([labelled('primary', await this.#own.getMetricsAsJSON()), ...measured])
  }
}

/** @returns undefined if the worker does not serve yet, hangs, or has just ended */
async function ask (worker: Worker): Promise<Measured[] | undefined> {
  if (!worker.isConnected()) return undefined
  try {
    worker.send(question)
    const signal = AbortSignal.timeout(timeout)
    const ends = [once(worker, 'message', { signal }), once(worker, 'disconnect', { signal })]
    const [answer]: Array<{ metrics: Measured[] } | undefined> = await Promise.race(ends)
    return answer?.metrics
  } catch {
    return undefined
  }
}

function labelled (worker: string, metrics: Measured[]): Measured[] {
  return metrics.map(metric => ({
    ...metric,
    // Other aggregators of prom-client, such as first and average, combine processes. Here each worker has its own series.
    aggregator: 'sum',
    values: metric.values.map(value => ({ ...value, labels: { worker, ...value.labels } }))
  }))
}
