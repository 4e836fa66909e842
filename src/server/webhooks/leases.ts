import { randomUUID } from 'node:crypto'
import type { Row, Sql, Statement } from '../../database/sql.ts'
import type { Cursor } from '../../domain/webhooks/pending.ts'

/** Seconds for which one process alone delivers to a webhook. Longer than an attempt. */
export const leaseSeconds = 20

/** A webhook that this process delivers to. */
export interface Lease {
  webhook: number
  company: number
  cursor: Cursor
  epoch: number
  /** Failed attempts of the delivery that is due, and seconds since the first one. */
  failures: number
  failingFor: number
  isSlow: boolean
  token: string
  /** Start of the lease, by `performance.now()`. */
  since: number
}

/** How many webhooks to take: `prompt` ones, and slow ones, whose last attempt failed or took long. */
export interface Places {
  prompt: number
  slow: number
  /** Most slow ones of a company. */
  slowOfCompany: number
}

const isFree = 'c.activo and (c.next_attempt_at <= clock_timestamp()) is not false and (c.leased_until <= clock_timestamp()) is not false'

const take = `
  with due as materialized (
    select c.webhook_id, c.company_id, c.failures > 0 or c.is_slow as is_slow,
      row_number() over (partition by c.company_id, c.failures > 0 or c.is_slow order by c.webhook_id) as nth
    from webhook_cursors c join company_revisions r on r.company_id = c.company_id
    where ${isFree} and r.revision > c.revision and ($1::int[] is null or c.company_id = any ($1)) ),
  chosen as materialized (
    (select webhook_id from due where not is_slow order by nth limit $3)
    union all (select webhook_id from due where is_slow and nth <= $5 - coalesce((select u.running from unnest($2::int[], $7::int[]) u (company, running) where u.company = due.company_id), 0) order by nth limit $4)),
  free as materialized (
    select c.webhook_id from webhook_cursors c where c.webhook_id = any (array(select webhook_id from chosen)) and ${isFree}
    for update skip locked)
  update webhook_cursors c set lease = $6, leased_until = clock_timestamp() + interval '${leaseSeconds} s'
  from free where c.webhook_id = free.webhook_id
  returning c.webhook_id as webhook, c.company_id as company, c.revision, c.position, c.epoch, c.failures, c.is_slow,
    coalesce(extract(epoch from clock_timestamp() - c.failing_since)::float8, 0) as failing_for`

/**
 * Leases webhooks with something to deliver.
 * @param companies only of these; undefined for all
 * @param running number of running deliveries to slow webhooks, by company
 */
export async function takeLeases (query: Sql['query'], companies: number[] | undefined, running: Map<number, number>, { prompt, slow, slowOfCompany }: Places): Promise<Lease[]> {
  const token = randomUUID()
  const since = performance.now()
  const rows = await query({ name: 'take webhooks', text: take, values: [companies ?? null, [...running.keys()], prompt, slow, slowOfCompany, token, [...running.values()]] })
  return rows.map(({ webhook, company, revision, position, epoch, failures, is_slow: isSlow, failing_for: failingFor }: Row) => (
    { webhook, company, cursor: { revision, position }, epoch, failures, failingFor, isSlow, token, since }))
}

/** The end of a lease or of an attempt. */
export interface Settlement {
  /** Where the webhook continues. Undefined if the delivery failed. */
  cursor?: Cursor
  /** Of a failed delivery: seconds until the next attempt, and where the webhook continues if the user skips the delivery. */
  failure?: { pause: number, skipTo: Cursor }
  isSlow: boolean
  /** Whether the process goes on with the webhook. */
  isKept: boolean
}

const settle = `
  update webhook_cursors c set
    revision = case when c.epoch = $3 then coalesce($4, c.revision) else c.revision end,
    position = case when c.epoch = $3 then coalesce($5::jsonb, c.position) else c.position end,
    failures = case when c.epoch <> $3 then c.failures when $6::float8 is null then 0 else c.failures + 1 end,
    failing_since = case when c.epoch <> $3 then c.failing_since when $6 is not null then coalesce(c.failing_since, clock_timestamp()) end,
    next_attempt_at = case when c.epoch <> $3 then c.next_attempt_at when $6 is not null then clock_timestamp() + make_interval(secs => $6) end,
    skip_to = case when c.epoch <> $3 then c.skip_to else $7::jsonb end,
    is_slow = $8,
    lease = case when $9 and c.epoch = $3 then c.lease end,
    leased_until = case when $9 and c.epoch = $3 then clock_timestamp() + interval '${leaseSeconds} s' end
  from company_revisions r
  where c.webhook_id = $1 and c.lease = $2 and r.company_id = c.company_id
  returning c.lease is not null as is_kept, c.activo and c.failures = 0 and r.revision > c.revision as is_behind`

/**
 * The statement at the end of an attempt or lease. It changes nothing but the lease if a user has moved the cursor since, and nothing at all if
 * another process has taken the webhook. Its row has `is_kept`, and `is_behind` for a webhook that has more to deliver.
 */
export function settleStatement ({ webhook, token, epoch }: Lease, { cursor, failure, isSlow, isKept }: Settlement): Statement {
  return {
    name: 'settle webhook',
    text: settle,
    values: [webhook, token, epoch, cursor?.revision ?? null, cursor === undefined ? null : JSON.stringify(cursor.position), failure?.pause ?? null, failure === undefined ? null : JSON.stringify(failure.skipTo), isSlow, isKept]
  }
}

/** The statement that gives a lease back without a result. */
export function releaseStatement ({ webhook, token }: Lease): Statement {
  return { name: 'release webhook', text: 'update webhook_cursors set lease = null, leased_until = null where webhook_id = $1 and lease = $2', values: [webhook, token] }
}
