import { isOurs } from '../../database/schema/ours.ts'
import type { Query } from './query.ts'
import { findingsOf, type Finding } from './finding.ts'

/** Bytes below which PostgreSQL may never analyze a table, and plans do not matter. */
const small = 1_000_000

/** Checks whether tables have statistics of about their size, without which foreign key checks can read whole companies. */
export async function examineStatistics (query: Query): Promise<Finding[]> {
  const { ok, warning } = findingsOf('statistics')
  const tables = await query(`
    select c.oid::regclass::text as name, c.relpages = 0 as missing
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind = 'r' and n.nspname in ('public', 'search') and ${isOurs('pg_class', 'c.oid')}
      and pg_relation_size(c.oid) > greatest(${small}, 2 * c.relpages * current_setting('block_size')::bigint)
    order by 1`)
  const findings = tables.map(({ name, missing }) => {
    const fact = missing === true ? 'has no statistics' : 'has more than doubled since its last analysis'
    return warning(`${name} ${fact}, which makes writes slow: start a server, which analyzes it, or run \`analyze ${name}\``)
  })
  return findings.length > 0 ? findings : [ok('all large tables have been analyzed at about their size')]
}
