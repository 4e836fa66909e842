import { setTimeout as sleep } from 'node:timers/promises'
import { commits, webhookAttempts } from '../../database/channels.ts'
import { isDataError, retrying, type Row, type Sql, type Statement } from '../../database/sql.ts'
import { pendingOf, pendingStatement, type Pending } from '../../domain/webhooks/pending.ts'
import type { Secrets } from '../../domain/webhooks/secrets.ts'
import { leaseSeconds, releaseStatement, settleStatement, type Lease, type Settlement } from './leases.ts'
import { logStatement, messageOf, type Message } from './message.ts'
import { longestFailing, pauseAfter } from './schedule.ts'
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

/** How a turn of deliveries to a webhook has ended. */
export interface TurnEnd {
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
const longestTurn = 10_000

/** Delivers the changes of a leased webhook in order, one request at a time, until none is left, one fails, or its turn is over. */
export async function deliver (context: Delivering, lease: Lease): Promise<TurnEnd> {
  const { webhook, company, cursor } = lease
  const [rows] = await context.within([company], 'read only', [pendingStatement(webhook, company, cursor)])
  const endsAt = performance.now() + longestTurn
  let step: Held | TurnEnd = { lease, rows: rows as Row[] }
  while ('lease' in step) step = await deliverNext(context, step, endsAt)
  return step
}

/** A lease, and the rows of the webhook's next changes. */
interface Held {
  lease: Lease
  rows: Row[]
}

/** @returns the lease after a delivery, or the end */
async function deliverNext (context: Delivering, { lease, rows }: Held, endsAt: number): Promise<Held | TurnEnd> {
  const { webhook, company, cursor } = lease
  const pending = pendingOf(rows, cursor)
  // The webhook is gone or inactive, or the process has stood still.
  if (pending === undefined || context.isClosing() || performance.now() - lease.since > longestDelay) return await release(context, lease)
  if (pending.changes.length === 0) {
    const after = pending.after()
    return await settle(context, lease, { cursor: after, isSlow: lease.isSlow, isKept: after.position.horizon !== null })
  }

  const message = messageOf(webhook, company, pending.batch, pending.changes)
  let outcome: Outcome
  try {
    outcome = await sendSigned(context.sender, context.secrets, pending, message, context.signal)
  } catch {
    return await release(context, lease)
  }
  return await conclude(context, lease, pending, message, outcome, endsAt)
}

/** Stores an attempt and moves the cursor, or plans the next attempt. */
async function conclude (context: Delivering, lease: Lease, pending: Pending, message: Message, outcome: Outcome, endsAt: number): Promise<Held | TurnEnd> {
  const { webhook, company, failures, failingFor } = lease
  const { status, ms, retryAfter } = outcome
  const isDelivered = status !== null && status >= 200 && status < 300
  const oldest = pending.changes[0]?.at as string
  webhookAttempts.publish({ isDelivered, changes: message.count, lag: Math.max(0, Date.now() - Date.parse(oldest)) / 1000 })
  const log = logStatement(company, webhook, message, failures + 1, outcome)
  const after = pending.after(message.count)
  const isSlow = ms >= slowFrom
  // Slow and prompt webhooks have places of their own.
  const isKept = after.position.horizon !== null && isSlow === (lease.failures > 0 || lease.isSlow) && !context.isClosing() && performance.now() < endsAt
  if (isDelivered) return await settle(context, lease, { cursor: after, isSlow, isKept }, log)

  const pause = pauseAfter(failures + 1, retryAfter)
  const failure = { pause, skipTo: after }
  if (status !== 410 && failingFor < longestFailing) return { ...await settle(context, lease, { failure, isSlow, isKept: false }, log) as TurnEnd, pause }
  const switchedOff = status === 410 ? 'The receiver answered 410.' : 'All deliveries failed for five days.'
  await settle(context, lease, { failure, isSlow, isKept: false }, log, switchOffStatements(lease, switchedOff))
  commits.publish([company])
  return { isBehind: false, switchedOff }
}

/** Switches a webhook off, unless a user has changed it during the attempt. Locks the company first, as all writers do. */
function switchOffStatements ({ webhook, company, token, epoch }: Lease, reason: string): Statement[] {
  return [{ name: 'lock', text: 'select lock_companies($1::int[])', values: [[company]] }, {
    text: `update webhooks w set activo = false, motivo_inactivo = $3
      where w.company_id = $1 and w.id = $2 and w.activo and exists (select from webhook_cursors c where c.webhook_id = w.id and c.lease = $4 and c.epoch = $5)`,
    values: [company, webhook, reason, token, epoch]
  }]
}

/**
 * Stores a result in one transaction, again after a fault until the lease has ended. If the lease is kept, the transaction reads the next changes.
 * @param log stores the attempt. It locks the webhook before the cursor, as a delete does
 */
async function settle (context: Delivering, lease: Lease, settlement: Settlement, log?: Statement, before: Statement[] = []): Promise<Held | TurnEnd> {
  const { webhook, company, since } = lease
  const { cursor, isSlow, isKept } = settlement
  const first = [...before, ...log === undefined ? [] : [log]]
  const statements = [...first, settleStatement(lease, settlement), ...cursor !== undefined && isKept ? [pendingStatement(webhook, company, cursor)] : []]
  const endsAt = since + leaseSeconds * 1000
  const renewed = performance.now()
  for (let pause = 100; ; pause *= 2) {
    try {
      const results = await retrying(async () => await context.within([company], 'read write', statements), endsAt)
      const [row] = results[first.length] as Row[]
      if (row?.['is_kept'] !== true || cursor === undefined) return { isBehind: row?.['is_behind'] === true }
      return { lease: { ...lease, cursor, failures: 0, failingFor: 0, isSlow, since: renewed }, rows: results[first.length + 1] as Row[] }
    } catch (error) {
      // The webhook was deleted during the attempt.
      if (isDataError(error)) return { isBehind: false }
      if (context.signal.aborted || performance.now() + pause > endsAt) throw error
      await sleep(pause, undefined, { signal: context.signal }).catch(() => {})
    }
  }
}

async function release ({ within }: Delivering, lease: Lease): Promise<TurnEnd> {
  await within([], 'read write', [releaseStatement(lease)])
  return { isBehind: false }
}
