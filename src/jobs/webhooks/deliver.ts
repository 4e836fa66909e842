import { setTimeout as sleep } from 'node:timers/promises'
import { commits } from '../../database/connection/channels.ts'
import { retrying } from '../../database/connection/postgres-sql.ts'
import type { Row, Sql, Statement } from '../../database/connection/sql.ts'
import { pendingOf, pendingStatement, type Pending } from './pending.ts'
import type { Secrets } from '../../domain/webhooks/secrets.ts'
import { conclude, type Conclusion, type Sent } from './conclusion.ts'
import { beginStatement, leaseSeconds, releaseStatement, settleStatement, type Lease, type Settlement } from './leases.ts'
import { messageOf, type Message } from './message.ts'
import type { Sender } from './send.ts'
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
interface LeaseEnd {
  /** Whether it has more to deliver at once. */
  isBehind: boolean
  /** Seconds until a failed delivery is due again. */
  pause?: number
  /** Why the service has switched the webhook off. */
  switchedOff?: string
}

/** Time in ms after the start of a lease in which an attempt must begin, so that it ends within the lease. */
const longestDelay = 4000

/** Time in ms after which a webhook with more to deliver leaves its slot to others. */
const longestStay = 10_000

/**
 * Delivers the changes of a leased webhook in order, one request at a time, until none is left, one fails, or the slot goes to others.
 */
export async function deliver (context: Delivering, taken: Lease): Promise<LeaseEnd> {
  const endsAt = performance.now() + longestStay
  const [first] = await context.within([taken.company], 'read only', [pendingStatement(taken.webhook, taken.company, taken.cursor)])
  let held: Held = { lease: taken, rows: first }
  while (true) {
    const { lease, rows } = held
    const attemptBy = lease.since + longestDelay
    const pending = pendingOf(rows, lease.cursor)
    // The webhook is gone or inactive, or the lease too old for an attempt.
    if (pending === undefined || context.isClosing() || performance.now() > attemptBy) return await release(context, lease)

    let conclusion: Conclusion = { settlement: { cursor: pending.after() }, statements: [] }
    if (pending.changes.length > 0) {
      const sent = await send(context, lease, pending, attemptBy)
      if (sent === 'withdrawn') return await release(context, lease)
      conclusion = conclude(lease, pending, sent)
    }
    const { settlement, settlement: { cursor, isSlow = false }, statements, pause, switchedOff } = conclusion
    const hasMore = cursor !== undefined && cursor.position.horizon !== null
    // A slow webhook must not stay in a slot of prompt ones.
    const fitsSlot = lease.isSlow || !isSlow
    const isKept = hasMore && fitsSlot && !context.isClosing() && performance.now() < endsAt
    const stored = await store(context, lease, { ...settlement, isKept }, statements)
    if (switchedOff !== undefined) commits.publish([lease.company])
    if (stored.next === undefined) return { isBehind: stored.isBehind && switchedOff === undefined, pause, switchedOff }
    held = stored.next
  }
}

/** A lease, and the rows of the webhook's next changes. */
interface Held {
  lease: Lease
  rows: Row[]
}

/** What {@link store} has stored: whether the webhook has more to deliver, and the kept lease. */
interface Stored {
  isBehind: boolean
  next?: Held
}

/**
 * Sends the next message.
 * @returns `withdrawn` if another process or a user has changed the webhook, it took too long, or a shutdown has ended the attempt
 */
async function send (context: Delivering, lease: Lease, pending: Pending, attemptBy: number): Promise<Sent | 'withdrawn'> {
  const { company, cursor: { position } } = lease
  const message = nextMessage(lease, pending)
  // Within a window, a repeated read returns the same changes.
  if (position.horizon === null && message.id !== position.sent?.id) {
    const begin = beginStatement(lease, { id: message.id, count: message.records.length })
    const [begun] = await retrying(async () => await context.within([company], 'read write', [begin]), attemptBy)
    if (begun.length === 0 || performance.now() > attemptBy) return 'withdrawn'
  }
  try {
    return { message, outcome: await sendSigned(context.sender, context.secrets, pending, message, context.signal) }
  } catch {
    return 'withdrawn'
  }
}

/**
 * The message to send. After a failure or a crash it has the same changes and no later ones, so that the receiver recognizes the id. If one
 * of them has changed since, it has all changes until now.
 */
function nextMessage ({ webhook, company, cursor }: Lease, { batch, changes }: Pending): Message {
  const { sent } = cursor.position
  if (sent != null) {
    const again = messageOf(webhook, company, batch, changes.slice(0, sent.count))
    if (again.id === sent.id) return again
  }
  return messageOf(webhook, company, batch, changes)
}

/**
 * Stores a result in one transaction, again after a fault until the lease has ended. If the lease is kept, the transaction reads the next
 * changes. After a fault it does not, because the fault can be theirs.
 */
async function store (context: Delivering, lease: Lease, settlement: Settlement, statements: Statement[]): Promise<Stored> {
  const { webhook, company, since } = lease
  const { cursor } = settlement
  const endsAt = since + leaseSeconds * 1000
  const renewed = performance.now()
  for (let [pause, isKept] = [100, settlement.isKept]; ; pause *= 2, isKept = false) {
    const reads = cursor !== undefined && isKept ? [pendingStatement(webhook, company, cursor)] : []
    const all = [...statements, settleStatement(lease, { ...settlement, isKept }), ...reads]
    try {
      const results = await retrying(async () => await context.within([company], 'read write', all), endsAt)
      const [row] = results[statements.length]
      if (row?.['is_kept'] !== true || cursor === undefined) return { isBehind: row?.['is_behind'] === true }
      const rows = results[statements.length + 1]
      return { isBehind: false, next: { lease: { ...lease, cursor, failures: 0, failingFor: 0, since: renewed }, rows } }
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
