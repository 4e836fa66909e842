import { setTimeout as sleep } from 'node:timers/promises'
import { commits, webhookAttempts } from '../../database/channels.ts'
import { isDataError, retrying, type Row, type Sql, type Statement } from '../../database/sql.ts'
import { pendingOf, pendingStatement, type Pending } from '../../domain/webhooks/pending.ts'
import type { Secrets } from '../../domain/webhooks/secrets.ts'
import { leaseSeconds, releaseStatement, settleStatement, type Lease, type Settlement } from './leases.ts'
import { logStatement, messageOf, type Message } from './message.ts'
import { longestFailing, pauseAfter } from './schedule.ts'
import type { Outcome, Sender } from './send.ts'
import { signedHeaders, unreadable } from './signed-headers.ts'

/** What deliveries need. */
export interface Delivering {
  within: Sql['within']
  sender: Sender
  secrets: Secrets
  /** Aborted when a shutdown cannot wait longer. */
  signal: AbortSignal
}

/** The end of the work on a webhook. */
export interface Rest {
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

/** Delivers the changes of a leased webhook in order, one request at a time, until none is left, one fails, or the lease is lost. */
export async function deliver (context: Delivering, lease: Lease): Promise<Rest> {
  let step: Lease | Rest = lease
  while ('token' in step) step = await deliverNext(context, step)
  return step
}

/** @returns the lease after a delivery, or the end */
async function deliverNext (context: Delivering, lease: Lease): Promise<Lease | Rest> {
  const { webhook, company, cursor } = lease
  const [rows] = await context.within([company], 'read only', [pendingStatement(webhook, company, cursor)])
  const pending = pendingOf(rows as Row[], cursor)
  // The webhook is gone or inactive, or the process has stood still.
  if (pending === undefined || context.signal.aborted || performance.now() - lease.since > longestDelay) return await release(context, lease)
  if (pending.changes.length === 0) {
    const after = pending.after()
    return await settle(context, lease, { cursor: after, isSlow: lease.isSlow, isKept: after.position.horizon !== null })
  }

  const message = messageOf(webhook, company, pending.batch, pending.changes)
  let outcome: Outcome
  try {
    outcome = await send(context, pending, message)
  } catch {
    return await release(context, lease)
  }
  return await conclude(context, lease, pending, message, outcome)
}

/** @throws the reason of an aborted shutdown */
async function send ({ sender, secrets, signal }: Delivering, { url, secrets: sealed }: Pending, message: Message): Promise<Outcome> {
  const headers = signedHeaders(secrets, sealed, message)
  return headers === undefined
    ? unreadable
    : await sender.send(url, headers, message.body, signal)
}

/** Stores an attempt and moves the cursor, or plans the next attempt. */
async function conclude (context: Delivering, lease: Lease, pending: Pending, message: Message, outcome: Outcome): Promise<Lease | Rest> {
  const { webhook, company, failures, failingFor } = lease
  const { status, ms, retryAfter } = outcome
  const isDelivered = status !== null && status >= 200 && status < 300
  const oldest = pending.changes[0]?.at as string
  webhookAttempts.publish({ isDelivered, changes: message.count, lag: Math.max(0, Date.now() - Date.parse(oldest)) / 1000 })
  const log = logStatement(company, webhook, message, failures + 1, outcome)
  const after = pending.after(message.count)
  const isSlow = ms >= slowFrom
  if (isDelivered) return await settle(context, lease, { cursor: after, isSlow, isKept: true }, [log])

  const pause = pauseAfter(failures + 1, retryAfter)
  const failure = { pause, skipTo: after }
  if (status !== 410 && failingFor < longestFailing) return { ...await settle(context, lease, { failure, isSlow, isKept: false }, [log]) as Rest, pause }
  const switchedOff = status === 410 ? 'The receiver answered 410.' : 'All deliveries failed for five days.'
  // It takes the lock of the company before that of the cursor, as all writers do.
  const rest = await settle(context, lease, { failure, isSlow, isKept: false }, [log], switchOffStatement(lease, switchedOff)) as Rest
  commits.publish([company])
  return { ...rest, switchedOff }
}

/** Switches a webhook off, unless a user has changed it during the attempt. */
function switchOffStatement ({ webhook, company, token, epoch }: Lease, reason: string): Statement {
  return {
    text: `update webhooks w set activo = false, motivo_inactivo = $3
      where w.company_id = $1 and w.id = $2 and w.activo and exists (select from webhook_cursors c where c.webhook_id = w.id and c.lease = $4 and c.epoch = $5)`,
    values: [company, webhook, reason, token, epoch]
  }
}

/** Runs the statements of a result in one transaction, again after a fault until the lease has ended. @returns the lease if it is kept, else the end */
async function settle (context: Delivering, lease: Lease, settlement: Settlement, after: Statement[] = [], before?: Statement): Promise<Lease | Rest> {
  const { company, since } = lease
  const statements = [...before === undefined ? [] : [before], settleStatement(lease, settlement), ...after]
  const renewed = performance.now()
  for (let pause = 100; ; pause *= 2) {
    try {
      const results = await retrying(async () => await context.within([company], 'read write', statements), since + leaseSeconds * 1000)
      const [row] = results[before === undefined ? 0 : 1] as Row[]
      if (row?.['is_kept'] !== true) return { isBehind: row?.['is_behind'] === true }
      return { ...lease, cursor: settlement.cursor as Lease['cursor'], failures: 0, failingFor: 0, isSlow: settlement.isSlow, since: renewed }
    } catch (error) {
      // The webhook was deleted during the attempt.
      if (isDataError(error)) return { isBehind: false }
      if (context.signal.aborted || performance.now() + pause > since + leaseSeconds * 1000) throw error
      await sleep(pause)
    }
  }
}

async function release ({ within }: Delivering, lease: Lease): Promise<Rest> {
  await within([], 'read write', [releaseStatement(lease)])
  return { isBehind: false }
}
