import { abandonedTriggers, fullName, staleTriggers, triggersSql, type TriggerRow } from '../../database/schema/load-triggers.ts'
import { isOurs } from '../../database/schema/ours.ts'
import { declared } from '../../domain/entities/declared.ts'
import type { Query } from './query.ts'
import { findingsOf, type Finding } from './finding.ts'

/**
 * Checks all triggers, including those of foreign keys. Some tools disable them to load rows; then cached answers become stale, changes
 * are not logged, and rules do not hold.
 */
export async function examineTriggers (query: Query): Promise<Finding[]> {
  const { ok, failed } = findingsOf('triggers')
  const tables = await query(`
    select c.relname::text as name, case when bool_or(t.tgisinternal) then 'all' else 'user' end as disabled
    from pg_class c join pg_trigger t on t.tgrelid = c.oid
    where c.relnamespace = 'public'::regnamespace and t.tgenabled in ('D', 'R') and ${isOurs('pg_class', 'c.oid')}
    group by 1 order by 1`)
  const findings = tables.map(({ name, disabled }) => {
    const enable = `run \`alter table ${name} enable trigger ${disabled}\`, and restart the servers, whose caches can be stale`
    return failed(`triggers of ${name} are disabled: ${enable}`)
  })
  const { triggers } = declared
  const rows = await query<TriggerRow>(triggersSql)
  const present = new Set(rows.map(fullName))
  const names = staleTriggers(triggers, rows).map(fullName).map(name => present.has(name) ? name : `${name} (missing)`)
  const differing = [...names, ...abandonedTriggers(triggers, rows).map(fullName)]
  const differ = differing.length === 1 ? 'differs' : 'differ'
  if (differing.length > 0) findings.push(failed(`${differing.join(', ')} ${differ} from this release: run \`obra migrate\``))
  return findings.length > 0 ? findings : [ok(`all ${triggers.length} are those of this release and enabled`)]
}
