import { isOurs } from '../../database/schema/ours.ts'
import { entities } from '../../domain/entities/index.ts'
import type { Query } from './query.ts'
import { findingsOf, type Finding } from './finding.ts'

/** The triggers that an entity declares for its table. */
export function triggersOf (table: string): string[] {
  const { triggers = [] } = entities.find(({ meta }) => meta.tableName === table)?.meta ?? {}
  return triggers.flatMap(({ name }) => name ?? []).sort()
}

/**
 * Checks all triggers, including those of foreign keys. Some tools disable them to load rows; then cached answers become stale, changes
 * are not logged, and rules do not hold.
 */
export async function examineTriggers (query: Query): Promise<Finding[]> {
  const { ok, failed } = findingsOf('triggers')
  const tables = await query(`
    select c.relname::text as name,
      array(select tgname::text from pg_trigger where tgrelid = c.oid and not tgisinternal) as triggers,
      (select case when bool_or(tgisinternal) then 'all' else 'user' end
        from pg_trigger where tgrelid = c.oid and tgenabled in ('D', 'R') having count(*) > 0) as disabled
    from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and ${isOurs('pg_class', 'c.oid')}
    order by 1`)
  const findings = tables.flatMap(({ name, triggers, disabled }) => {
    const lost = triggersOf(name).filter(trigger => !triggers.includes(trigger))
    const enable = `run \`alter table ${name} enable trigger ${disabled}\`, and restart the servers, whose caches can be stale`
    return [
      disabled !== null ? failed(`triggers of ${name} are disabled: ${enable}`) : [],
      lost.length > 0 ? failed(`${name} lacks ${lost.join(', ')}: restore it from its migration`) : []
    ].flat()
  })
  return findings.length > 0 ? findings : [ok('all triggers exist and are enabled')]
}
