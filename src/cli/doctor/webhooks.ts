import { admitAll, admitNone, type Query } from './query.ts'
import { maxListed } from '../listed.ts'
import { findingsOf, type Finding } from './finding.ts'

/** The oldest change that a webhook has not delivered is older than two leases, and no process delivers it. */
const isLate = `
  (select l.changed_at from changes l where l.company_id = c.company_id and l.revision > c.revision order by l.revision limit 1)
    < clock_timestamp() - interval '40 s'
  and (c.leased_until > clock_timestamp()) is not true`

/** Finds active webhooks whose deliveries fail or stand still. */
export async function examineWebhooks (query: Query): Promise<Finding[]> {
  const { ok, warning } = findingsOf('webhooks')
  // Other checks report missing tables and migrations.
  const [table] = await query("select to_regclass('public.webhook_cursors') is not null as there")
  if (table?.['there'] !== true) return []
  await query(admitAll)
  const rows = await query(`
    select c.webhook_id as webhook, c.company_id as company, c.failures, count(*) over ()::int as all,
      to_char(c.failing_since at time zone 'UTC', 'YYYY-MM-DD HH24:MI "UTC"') as since
    from webhook_cursors c join company_revisions r on r.company_id = c.company_id
    where c.activo and r.revision > c.revision and (c.failures > 1 or (c.failures = 0 and ${isLate}))
    order by c.failing_since nulls last, c.webhook_id limit ${maxListed}`)
  await query(admitNone)
  if (rows.length === 0) return [ok('no webhook lags behind')]
  const findings = rows.map(({ webhook, company, failures, since }) => warning(failures > 0
    ? `webhook ${webhook} of company ${company} fails since ${since}, ${failures} attempts: see its deliveries`
    : `webhook ${webhook} of company ${company} has undelivered changes: start a server with WEBHOOKS=on and WEBHOOK_KEY`))
  const more = rows[0]?.['all'] - rows.length
  return more > 0 ? [...findings, warning(`and ${more} more webhooks lag behind`)] : findings
}
