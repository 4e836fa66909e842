import type { Statement } from '../../database/connection/sql.ts'
import { lockCompanies } from '../../database/turns/batch-requests.ts'
import type { DeliveryCursor } from './cursor.ts'

/** Seconds for which one process alone delivers to a webhook. Longer than an attempt. */
export const leaseSeconds = 20

/** A webhook that this process delivers to. */
export interface Lease {
  webhook: number
  company: number
  /** The company's customer. */
  customer: number
  /** Host and port of the receiver. */
  host: string
  cursor: DeliveryCursor
  epoch: number
  /** Failed attempts of the delivery that is due, and seconds since the first one. */
  failures: number
  failingFor: number
  /** Whether it has one of the slots for slow webhooks. */
  isSlow: boolean
  token: string
  /** Start of the lease, by `performance.now()`. */
  since: number
}

/** Attempts after a slow one in which a webhook still counts as slow. */
const slowAttempts = 10

/** The end of a lease or of an attempt. */
export interface Settlement {
  /** Where the webhook continues. Undefined if the delivery failed. */
  cursor?: DeliveryCursor
  /** Of a failed delivery: seconds until the next attempt, and where the webhook continues if the user skips the delivery. */
  failure?: { pause: number, skipTo: DeliveryCursor }
  /** Whether the attempt was slow. Undefined without an attempt. */
  isSlow?: boolean
  /** Whether the process goes on with the webhook. */
  isKept: boolean
}

/** Values: webhook, token, epoch, revision, position, pause after a failure in seconds, end of the skipped delivery, slow, kept. */
const settle = `
  update webhook_cursors c set
    revision = case when c.epoch = $3 then coalesce($4, c.revision) else c.revision end,
    position = case when c.epoch = $3 then coalesce($5::jsonb, c.position) else c.position end,
    failures = case when c.epoch <> $3 then c.failures when $6::float8 is null then 0 else c.failures + 1 end,
    failing_since = case when c.epoch <> $3 then c.failing_since when $6 is not null then coalesce(c.failing_since, clock_timestamp()) end,
    next_attempt_at = case
      when c.epoch <> $3 then c.next_attempt_at
      when $6 is not null then clock_timestamp() + make_interval(secs => $6) end,
    skip_to = case when c.epoch <> $3 then c.skip_to else $7::jsonb end,
    slow_for = case when $8 then ${slowAttempts} when not $8 then greatest(c.slow_for - 1, 0) else c.slow_for end,
    lease = case when $9 and c.epoch = $3 then c.lease end,
    leased_until = case when $9 and c.epoch = $3 then clock_timestamp() + interval '${leaseSeconds} s' end
  from company_revisions r
  where c.webhook_id = $1 and c.lease = $2 and r.company_id = c.company_id
  returning c.lease is not null as is_kept, c.activo and c.failures = 0 and r.revision > c.revision as is_behind`

/**
 * The statement at the end of an attempt or lease. It changes nothing but the lease if a user has moved the cursor since, and nothing at
 * all if another process has taken the webhook. Its row has `is_kept`, and `is_behind` for a webhook that has more to deliver.
 */
export function settleStatement ({ webhook, token, epoch }: Lease, { cursor, failure, isSlow, isKept }: Settlement): Statement {
  const continuation = [cursor?.revision ?? null, cursor === undefined ? null : JSON.stringify(cursor.position)]
  const retry = [failure?.pause ?? null, failure === undefined ? null : JSON.stringify(failure.skipTo)]
  return { name: 'settle webhook', text: settle, values: [webhook, token, epoch, ...continuation, ...retry, isSlow ?? null, isKept] }
}

/**
 * The statement that stores a delivery before it is sent. It has no row if another process has taken the webhook, or a user has moved its
 * cursor or switched it off.
 */
export function beginStatement ({ webhook, token, epoch }: Lease, sent: DeliveryCursor['position']['sent']): Statement {
  return {
    name: 'begin webhook delivery',
    text: `
      update webhook_cursors set position = position || jsonb_build_object('sent', $4::jsonb)
      where webhook_id = $1 and lease = $2 and epoch = $3 and activo
      returning webhook_id`,
    values: [webhook, token, epoch, JSON.stringify(sent)]
  }
}

/** The statement that gives a lease back without a result. */
export function releaseStatement ({ webhook, token }: Lease): Statement {
  return {
    name: 'release webhook',
    text: 'update webhook_cursors set lease = null, leased_until = null where webhook_id = $1 and lease = $2',
    values: [webhook, token]
  }
}

/**
 * Switches a webhook off, unless a user has changed it during the attempt. Locks the company first, as all writers do.
 * @param minFailingSeconds time for which it must have failed. A user who has switched it off and on again meanwhile has begun a new time
 */
export function switchOffStatements (lease: Lease, reason: string, minFailingSeconds: number | null): Statement[] {
  const { webhook, company, token, epoch } = lease
  const switchOff = {
    text: `
      update webhooks w set activo = false, motivo_inactivo = $3
      where w.company_id = $1 and w.id = $2 and w.activo and exists (
        select from webhook_cursors c
        where c.webhook_id = w.id and c.lease = $4 and c.epoch = $5
          and ($6::float8 is null or c.failing_since <= clock_timestamp() - make_interval(secs => $6)))`,
    values: [company, webhook, reason, token, epoch, minFailingSeconds]
  }
  return [lockCompanies([company]), switchOff]
}
