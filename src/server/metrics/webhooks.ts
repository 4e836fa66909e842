import type { FastifyInstance } from 'fastify'
import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import { switchedOffWebhooks, webhookAttempts } from '../../database/connection/channels.ts'

/** Bounds in seconds of the time from a commit to its delivery, from an immediate one to one after a day of failures. */
const lagBuckets = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 30, 300, 3600, 86_400]

/** Counts deliveries of webhooks. */
export function countDeliveries (app: FastifyInstance, registry: Registry): void {
  const registers = [registry]
  const deliveries = new Counter({
    name: 'obra_webhook_deliveries_total',
    help: 'Attempts to deliver to webhooks by outcome: delivered, failed.',
    labelNames: ['outcome'],
    registers
  })
  const changes = new Counter({ name: 'obra_webhook_changes_total', help: 'Changes delivered to webhooks.', registers })
  const lag = new Histogram({
    name: 'obra_webhook_lag_seconds',
    help: 'Time from the commit of a change to its delivery.',
    buckets: lagBuckets,
    registers
  })
  registry.registerMetric(new Gauge({
    name: 'obra_webhook_deliveries_running',
    help: 'Webhooks that this process delivers to now.',
    registers: [],
    collect () { this.set(app.webhooks.running()) }
  }))
  const switchedOff = new Counter({
    name: 'obra_webhooks_switched_off_total',
    help: 'Webhooks that this process has switched off, after five days of failures or an answer 410.',
    registers
  })
  for (const outcome of ['delivered', 'failed']) deliveries.inc({ outcome }, 0)

  const onAttempt = ({ isDelivered, changes: count, lag: seconds }: { isDelivered: boolean, changes: number, lag: number }) => {
    deliveries.inc({ outcome: isDelivered ? 'delivered' : 'failed' })
    if (!isDelivered) return
    changes.inc(count)
    lag.observe(seconds)
  }
  const onSwitchedOff = () => switchedOff.inc()
  webhookAttempts.subscribe(onAttempt)
  switchedOffWebhooks.subscribe(onSwitchedOff)
  app.addHook('onClose', async () => {
    webhookAttempts.unsubscribe(onAttempt)
    switchedOffWebhooks.unsubscribe(onSwitchedOff)
  })
}
