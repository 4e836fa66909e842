import { limits } from '../../config/limits.ts'
import { webhookAttempts } from '../../database/connection/channels.ts'
import type { Statement } from '../../database/connection/sql.ts'
import { switchOffStatements, type Lease, type Settlement } from './leases.ts'
import { logStatement, type Message } from './message.ts'
import type { Pending } from './pending.ts'
import { maxFailingSeconds, retryPauseSeconds } from './schedule.ts'
import type { Outcome } from './send.ts'

/** Duration in ms from which an attempt counts as slow. */
const slowFrom = limits.webhooks.slowFromMs

/** A message that was sent, and what came back. */
export interface Sent {
  message: Message
  outcome: Outcome
}

/** What an attempt changes: a new cursor, or the plan of the next attempt. `statements` run before the one that settles. */
export interface Conclusion {
  settlement: Omit<Settlement, 'isKept'>
  statements: Statement[]
  /** Seconds until the next attempt. */
  pause?: number
  /** Why the service switches the webhook off. */
  switchedOff?: string
}

/** What follows from an attempt. Counts it in the metrics. */
export function conclude (lease: Lease, pending: Pending, { message, outcome }: Sent): Conclusion {
  const { webhook, company, failures, failingFor } = lease
  const { status, ms, retryAfter } = outcome
  const isDelivered = status !== null && status >= 200 && status < 300
  const oldest = pending.changes[0]?.at
  webhookAttempts.publish({ isDelivered, changes: message.records.length, lag: Math.max(0, Date.now() - Date.parse(oldest)) / 1000 })
  const log = logStatement(company, webhook, message, failures + 1, outcome)
  const after = pending.after(message.records.length)
  const isSlow = ms >= slowFrom
  if (isDelivered) return { settlement: { cursor: after, isSlow }, statements: [log] }

  const pause = retryPauseSeconds(failures + 1, retryAfter)
  const settlement = { failure: { pause, skipTo: after }, isSlow }
  if (status !== 410 && failingFor < maxFailingSeconds) return { settlement, statements: [log], pause }
  const isGone = status === 410
  const switchedOff = isGone ? 'The receiver answered 410.' : 'All deliveries failed for five days.'
  const switchOff = switchOffStatements(lease, switchedOff, isGone ? null : maxFailingSeconds)
  return { settlement, statements: [...switchOff, log], switchedOff }
}
