import { setTimeout as sleep } from 'node:timers/promises'
import { commits, webhookAttempts } from '../../database/connection/channels.ts'
import { retrying } from '../../database/connection/postgres-sql.ts'
import type { Row, Sql, Statement } from '../../database/connection/sql.ts'
import { pendingOf, pendingStatement, type Pending } from './pending.ts'
import type { Secrets } from '../../domain/webhooks/secrets.ts'
import { beginStatement, leaseSeconds, releaseStatement, settleStatement, switchOffStatements, type Lease, type Settlement } from './leases.ts'
import { logStatement, messageOf, type Message } from './message.ts'
import { maxFailingSeconds, retryPauseSeconds } from './schedule.ts'
import type { Outcome, Sender } from './send.ts'
import { sendSigned } from './send-signed.ts'

/** What deliveries need. */
export interface Delivering {
  within: Sql['within']
  sender: Sender
  secrets: Secrets
  /** Whether a shutdown has begun. Then no further delivery begins. */
  isClosing: () => boolean
  /** Aborted when a shutdown cannot wait longer. */
  signal: AbortSignal
}

/** How the work on a leased webhook has ended. */
export interface LeaseEnd {
  /** Whether it has more to deliver at once. */
  isBehind: boolean
  /** Seconds until a failed delivery is due again. */
  pause?: number
  /** Why the service has switched the webhook off. */
  switchedOff?: string
}

/** Time in ms after the start of a lease in which an attempt must begin, so that it ends within the lease. */
const longestDelay = 4000

/** Duration in ms from which an attempt counts as slow. */
const slowFrom = 1000

/** Time in ms after which a webhook with more to deliver gives its place to others. */
const longestStay = 10_000

/** Delivers the changes of a leased webhook in order, one request at a time, until none is left, one fails, or others should have its place. */
export async function deliver (context: Delivering, lease: Lease): Promise<LeaseEnd> {
  const endsAt = performance.now() + longestStay
  const [rows] = await context.within([lease.company], 'read only', [pendingStatement(lease.webhook, lease.company, lease.cursor)])
  let step: Held | LeaseEnd = { lease, rows: rows as Row[] }
  while ('lease' in step) step = await deliverNext(context, step, endsAt)
  return step
}

/** A lease, and the rows of the webhook's next changes. */
interface Held {
  lease: Lease
  rows: Row[]
}

/** @returns the lease after a delivery, or the end */
async function deliverNext (context: Delivering, { lease, rows }: Held, endsAt: number): Promise<Held | LeaseEnd> {
  const { company, cursor } = lease
  const attemptBy = lease.since + longestDelay
  const pending = pendingOf(rows, cursor)
  // The webhook is gone or inactive, or the lease too old for an attempt.
  if (pending === undefined || context.isClosing() || performance.now() > attemptBy) return await release(context, lease)
  if (pending.changes.length === 0) {
    const after = pending.after()
    return await settle(context, lease, { cursor: after, isKept: after.position.horizon !== null && performance.now() < endsAt })
  }

  const message = nextMessage(lease, pending)
  // Within a window, a repeated read returns the same changes.
  if (cursor.position.horizon === null && message.id !== cursor.position.sent?.id) {
    const begin = beginStatement(lease, { id: message.id, count: message.records.length })
    const [begun] = await retrying(async () => await context.within([company], 'read write', [begin]), attemptBy) as [Row[]]
    if (begun.length === 0 || performance.now() > attemptBy) return await release(context, lease)
  }
  let outcome: Outcome
  try {
    outcome = await sendSigned(context.sender, context.secrets, pending, message, context.signal)
  } catch {
    return await release(context, lease)
  }
  return await conclude(context, lease, pending, message, outcome, endsAt)
}

/** After a failure or a crash, the same changes, not more of them: then the receiver knows the id. If one of them has changed since, all until now. */
function nextMessage ({ webhook, company, cursor }: Lease, { batch, changes }: Pending): Message {
  const { sent } = cursor.position
  if (sent != null) {
    const again = messageOf(webhook, company, batch, changes.slice(0, sent.count))
    if (again.id === sent.id) return again
  }
  return messageOf(webhook, company, batch, changes)
}

/** Stores an attempt and moves the cursor, or plans the next attempt. */
async function conclude (context: Delivering, lease: Lease, pending: Pending, message: Message, outcome: Outcome, endsAt: number): Promise<Held | LeaseEnd> {
  const { webhook, company, failures, failingFor } = lease
  const { status, ms, retryAfter } = outcome
  const isDelivered = status !== null && status >= 200 && status < 300
  const oldest = pending.changes[0]?.at as string
  webhookAttempts.publish({ isDelivered, changes: message.records.length, lag: Math.max(0, Date.now() - Date.parse(oldest)) / 1000 })
  const log = logStatement(company, webhook, message, failures + 1, outcome)
  const after = pending.after(message.records.length)
  const isSlow = ms >= slowFrom
  // A slow webhook must not stay in a place of prompt ones.
  const isKept = after.position.horizon !== null && (lease.isSlow || !isSlow) && !context.isClosing() && performance.now() < endsAt
  if (isDelivered) return await settle(context, lease, { cursor: after, isSlow, isKept }, [log])

  const pause = retryPauseSeconds(failures + 1, retryAfter)
  const failure = { pause, skipTo: after }
  if (status !== 410 && failingFor < maxFailingSeconds) return { ...await settle(context, lease, { failure, isSlow, isKept: false }, [log]) as LeaseEnd, pause }
  const switchedOff = status === 410 ? 'The receiver answered 410.' : 'All deliveries failed for five days.'
  await settle(context, lease, { failure, isSlow, isKept: false }, [...switchOffStatements(lease, switchedOff, status === 410 ? null : maxFailingSeconds), log])
  commits.publish([company])
  return { isBehind: false, switchedOff }
}

/**
 * Stores a result in one transaction, again after a fault until the lease has ended. If the lease is kept, the transaction reads the next
 * changes. After a fault it does not, because the fault can be theirs.
 * @param first statements before the one that settles
 */
async function settle (context: Delivering, lease: Lease, settlement: Settlement, first: Statement[] = []): Promise<Held | LeaseEnd> {
  const { webhook, company, since } = lease
  const { cursor } = settlement
  const endsAt = since + leaseSeconds * 1000
  const renewed = performance.now()
  const attempt = async (isKept: boolean): Promise<Held | LeaseEnd> => {
    const statements = [...first, settleStatement(lease, { ...settlement, isKept }), ...cursor !== undefined && isKept ? [pendingStatement(webhook, company, cursor)] : []]
    const results = await retrying(async () => await context.within([company], 'read write', statements), endsAt)
    const [row] = results[first.length] as Row[]
    if (row?.['is_kept'] !== true || cursor === undefined) return { isBehind: row?.['is_behind'] === true }
    return { lease: { ...lease, cursor, failures: 0, failingFor: 0, since: renewed }, rows: results[first.length + 1] as Row[] }
  }
  for (let [pause, isKept] = [100, settlement.isKept]; ; pause *= 2, isKept = false) {
    try {
      return await attempt(isKept)
    } catch (error) {
      if (context.signal.aborted || performance.now() + pause > endsAt) throw error
      await sleep(pause, undefined, { signal: context.signal }).catch(() => {})
    }
  }
}

async function release ({ within }: Delivering, lease: Lease): Promise<LeaseEnd> {
  // A shutdown waits for this. Without it, the lease ends by itself.
  await retrying(async () => await within([lease.company], 'read write', [releaseStatement(lease)]), performance.now() + 1000)
  return { isBehind: false }
}
