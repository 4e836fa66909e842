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
  /** Whether it has a place of slow ones. */
  isSlow: boolean
  token: string
  /** Start of the lease, by `performance.now()`. */
  since: number
}

/** How many webhooks to take: `prompt` ones, and slow ones, whose last attempt failed or one of whose last attempts took long. */
export interface Places {
  prompt: number
  slow: number
  /** Most of a company, including the running ones. */
  promptOfCompany: number
  slowOfCompany: number
}

/** Running deliveries of a company. */
export interface CompanyLoad {
  company: number
  prompt: number
  slow: number
}

/** Attempts after a slow one in which a webhook still counts as slow. */
const slowAttempts = 10

const isFree = 'c.activo and (c.next_attempt_at <= clock_timestamp()) is not false and (c.leased_until <= clock_timestamp()) is not false'
const countsAsSlow = '(c.failures > 0 or c.slow_for > 0)'

/** The companies with the fewest running deliveries come first, and of each the webhooks that have waited longest. */
const take = `
  with due as materialized (
    select c.webhook_id, c.company_id, ${countsAsSlow} as is_slow,
      row_number() over (partition by c.company_id, ${countsAsSlow} order by c.leased_at nulls first, c.webhook_id) as nth
    from webhook_cursors c join company_revisions r on r.company_id = c.company_id
    where ${isFree} and r.revision > c.revision and ($1::int[] is null or c.company_id = any ($1))),
  ranked as materialized (
    select d.webhook_id, d.is_slow, d.nth + coalesce(case when d.is_slow then u.slow else u.prompt end, 0) as rank
    from due d left join unnest($2::int[], $3::int[], $4::int[]) u (company, prompt, slow) on u.company = d.company_id),
  chosen as materialized (
    (select webhook_id from ranked where not is_slow and rank <= $7 order by rank, random() limit $5)
    union all (select webhook_id from ranked where is_slow and rank <= $8 order by rank, random() limit $6)),
  free as materialized (
    select c.webhook_id from webhook_cursors c where c.webhook_id = any (array(select webhook_id from chosen)) and ${isFree}
    for update skip locked)
  update webhook_cursors c set lease = $9, leased_at = clock_timestamp(), leased_until = clock_timestamp() + interval '${leaseSeconds} s'
  from free where c.webhook_id = free.webhook_id
  returning c.webhook_id as webhook, c.company_id as company, c.revision, c.position, c.epoch, c.failures, ${countsAsSlow} as is_slow,
    coalesce(extract(epoch from clock_timestamp() - c.failing_since)::float8, 0) as failing_for`

/**
 * Leases webhooks with something to deliver.
 * @param companies only of these; undefined for all
 */
export async function takeLeases (query: Sql['query'], companies: number[] | undefined, running: CompanyLoad[], { prompt, slow, promptOfCompany, slowOfCompany }: Places): Promise<Lease[]> {
  const token = randomUUID()
  const since = performance.now()
  const counts = [running.map(({ company }) => company), running.map(({ prompt }) => prompt), running.map(({ slow }) => slow)]
  const rows = await query({ name: 'take webhooks', text: take, values: [companies ?? null, ...counts, prompt, slow, promptOfCompany, slowOfCompany, token] })
  return rows.map(({ webhook, company, revision, position, epoch, failures, is_slow: isSlow, failing_for: failingFor }: Row) => (
    { webhook, company, cursor: { revision, position }, epoch, failures, failingFor, isSlow, token, since }))
}

/** The end of a lease or of an attempt. */
export interface Settlement {
  /** Where the webhook continues. Undefined if the delivery failed. */
  cursor?: Cursor
  /** Of a failed delivery: seconds until the next attempt, and where the webhook continues if the user skips the delivery. */
  failure?: { pause: number, skipTo: Cursor }
  /** Whether the attempt was slow. Undefined without an attempt. */
  isSlow?: boolean
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
    slow_for = case when $8 then ${slowAttempts} when not $8 then greatest(c.slow_for - 1, 0) else c.slow_for end,
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
    values: [webhook, token, epoch, cursor?.revision ?? null, cursor === undefined ? null : JSON.stringify(cursor.position), failure?.pause ?? null, failure === undefined ? null : JSON.stringify(failure.skipTo), isSlow ?? null, isKept]
  }
}

/** The statement that gives a lease back without a result. */
export function releaseStatement ({ webhook, token }: Lease): Statement {
  return { name: 'release webhook', text: 'update webhook_cursors set lease = null, leased_until = null where webhook_id = $1 and lease = $2', values: [webhook, token] }
}
