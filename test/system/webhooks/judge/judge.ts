import type { Endpoint } from '../endpoint.ts'
import type { Disturbance } from '../servers.ts'
import type { Truth } from '../watch.ts'
import { eventFaults } from './events.ts'
import { historyOf, type Accepted } from './history.ts'
import { Log } from './log.ts'
import { losses, skippedOf } from './losses.ts'
import { requestFaults } from './requests.ts'

/** Longest lease in seconds. */
const longestLease = 20

/** Compares what the receivers have accepted with the change log. @returns the violations */
export function judge (endpoints: Endpoint[], truth: Truth, disturbances: Disturbance[]): string[] {
  const log = new Log(truth)
  const faults = truth.leased.length === 0 ? [] : [`after SIGTERM the webhooks ${truth.leased.join()} are leased`]
  const longest = truth.cursors.find(({ leaseSeconds }) => leaseSeconds !== null && leaseSeconds > longestLease)
  if (longest !== undefined) faults.push(`the lease of webhook ${longest.webhook} lasts ${longest.leaseSeconds} s`)
  for (const endpoint of endpoints) {
    const start = truth.cursors.find(({ webhook }) => webhook === endpoint.id)?.revision ?? 0
    const { generations, faults: outOfOrder } = historyOf(endpoint, start, disturbances)
    const skipped = skippedOf(endpoint)
    faults.push(...endpoint.faults, ...endpoint.receiver.faults, ...outOfOrder, ...requestFaults(endpoint))
    faults.push(...eventFaults(endpoint, generations, log, skipped.records))
    faults.push(...losses(endpoint, generations.at(-1) as typeof generations[number], log, skipped))
    faults.push(...unlogged(endpoint, generations.flatMap(({ deliveries }) => deliveries), truth))
  }
  return [...new Set(faults)]
}

/** Accepted deliveries without a logged attempt. */
function unlogged ({ name, id }: Endpoint, deliveries: Accepted[], { attempts }: Truth): string[] {
  return deliveries.filter(delivery => !delivery.isUncertain && !attempts.has(`${id} ${delivery.id}`)).map(delivery => `${name}: delivery ${delivery.id} is not logged`)
}
