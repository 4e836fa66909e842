import { randomUUID } from 'node:crypto'
import type { Row, Sql } from '../../database/connection/sql.ts'
import { leaseSeconds, type Lease } from './leases.ts'

/** How many webhooks to take: prompt ones, and slow ones. A slow one failed at its last attempt, or one of its last attempts took long. */
export interface DeliveryCounts {
  prompt: number
  slow: number
  /** Limits for one customer, including the running deliveries. */
  promptOfCustomer: number
  slowOfCustomer: number
  /** Limits for one host, including the running deliveries: of all customers, and of one customer. */
  host: number
  hostOfCustomer: number
}

/** A running delivery, as far as it matters for further ones. */
export type Running = Pick<Lease, 'company' | 'customer' | 'host' | 'isSlow'>

const isFree = 'c.activo and (c.next_attempt_at <= clock_timestamp()) is not false and (c.leased_until <= clock_timestamp()) is not false'
const countsAsSlow = '(c.failures > 0 or c.slow_for > 0)'
const hostOf = "coalesce(c.host, 'webhook ' || c.webhook_id)"
const waitedLongest = 'leased_at nulls first, webhook_id'

/** SQL that counts the running deliveries with the same values of these columns. */
function runningBy (...columns: string[]): string {
  const names = columns.join(', ')
  return `left join (select ${names}, count(*) as running from running group by ${names}) u using (${names})`
}

/**
 * Values: companies or null; company, customer, host and class of each running delivery; most prompt and slow ones, and the limits of
 * {@link DeliveryCounts}; the token. The customers with the fewest running deliveries come first, of each the companies with the fewest,
 * and of each the webhooks that have waited longest.
 */
const text = `
  with running as materialized (select * from unnest($2::int[], $3::int[], $4::text[], $5::boolean[]) u (company, customer, host, is_slow)),
  due as materialized (
    select c.webhook_id, c.company_id as company, o.customer_id as customer, ${hostOf} as host, ${countsAsSlow} as is_slow, c.leased_at
    from webhook_cursors c join company_revisions r on r.company_id = c.company_id join companies o on o.id = c.company_id
    where ${isFree} and r.revision > c.revision and ($1::int[] is null or c.company_id = any ($1))),
  of_customers as materialized (
    select d.*, row_number() over (partition by customer, host order by ${waitedLongest}) + coalesce(u.running, 0) as nth_of_customer
    from due d ${runningBy('customer', 'host')}),
  of_hosts as materialized (
    select d.*, row_number() over (partition by host order by nth_of_customer, random()) + coalesce(u.running, 0) as nth_of_host
    from of_customers d ${runningBy('host')} where nth_of_customer <= $11),
  of_companies as materialized (
    select d.*, row_number() over (partition by company, is_slow order by ${waitedLongest}) + coalesce(u.running, 0) as nth_of_company
    from of_hosts d ${runningBy('company', 'is_slow')} where nth_of_host <= $10),
  ranked as materialized (
    select d.*, row_number() over (partition by customer, is_slow order by nth_of_company, random()) + coalesce(u.running, 0) as rank
    from of_companies d ${runningBy('customer', 'is_slow')}),
  chosen as materialized (
    (select webhook_id from ranked where not is_slow and rank <= $8 order by rank, random() limit $6)
    union all (select webhook_id from ranked where is_slow and rank <= $9 order by rank, random() limit $7)),
  free as materialized (
    select c.webhook_id from webhook_cursors c where c.webhook_id = any (array(select webhook_id from chosen)) and ${isFree}
    for update skip locked)
  update webhook_cursors c set lease = $12, leased_at = clock_timestamp(), leased_until = clock_timestamp() + interval '${leaseSeconds} s'
  from free join due on due.webhook_id = free.webhook_id where c.webhook_id = free.webhook_id
  returning c.webhook_id as webhook, c.company_id as company, due.customer, due.host, c.revision, c.position, c.epoch, c.failures,
    ${countsAsSlow} as is_slow, coalesce(extract(epoch from clock_timestamp() - c.failing_since)::float8, 0) as failing_for`

/**
 * Leases webhooks with something to deliver.
 * @param companies only of these; undefined for all
 * @param running deliveries that this process has not finished
 * @param free slots, and limits that include the running deliveries
 */
export async function takeLeases (
  query: Sql['query'], companies: number[] | undefined, running: Running[], free: DeliveryCounts
): Promise<Lease[]> {
  const token = randomUUID()
  const since = performance.now()
  const columns = (['company', 'customer', 'host', 'isSlow'] as const).map(column => running.map(one => one[column]))
  const { prompt, slow, promptOfCustomer, slowOfCustomer, host, hostOfCustomer } = free
  const limits = [prompt, slow, promptOfCustomer, slowOfCustomer, host, hostOfCustomer]
  const rows = await query({ name: 'take webhooks', text, values: [companies ?? null, ...columns, ...limits, token] })
  return rows.map(row => ({ ...leaseOf(row), token, since }))
}

function leaseOf (row: Row): Omit<Lease, 'token' | 'since'> {
  const { webhook, company, customer, host, revision, position, epoch, failures, is_slow: isSlow, failing_for: failingFor } = row
  return { webhook, company, customer, host, cursor: { revision, position }, epoch, failures, failingFor, isSlow }
}
