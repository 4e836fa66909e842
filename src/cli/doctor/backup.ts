import type { Config } from '../../config.ts'
import { findingsOf, type Finding } from './finding.ts'
import type { Query } from './query.ts'

const hour = 3600
const day = 24 * hour

/** Ages in seconds of the last backup. A nightly one can take two hours longer than the night before. */
const lateAge = 26 * hour
const lostAge = 7 * day

/** Checks the age of the last `obra backup`, which leaves its time in the table `last_backup`. */
export async function examineBackup (query: Query, { NODE_ENV: mode }: Pick<Config, 'NODE_ENV'>): Promise<Finding[]> {
  // Another check reports pending migrations.
  const [table] = await query("select to_regclass('public.last_backup') is not null as there")
  if (table?.['there'] !== true) return []
  const [row] = await query('select extract(epoch from clock_timestamp() - ended_at)::float8 as age from last_backup')
  return [judgeBackup(row?.['age'], mode === 'production')]
}

/** @param age seconds since the last backup; undefined without one */
export function judgeBackup (age: number | undefined, isProduction: boolean): Finding {
  const { ok, warning, failed } = findingsOf('backup')
  const remedy = 'run `obra backup` every night, or store the time of other backups, see docs/guides/back-up-and-restore.md'
  if (age === undefined) return isProduction ? warning(`no backup of this database: ${remedy}`) : ok('no backup of this database yet')
  const fact = `the last backup is ${age < 2 * day ? `${Math.floor(age / hour)} hours` : `${Math.floor(age / day)} days`} old`
  if (!isProduction || age < lateAge) return ok(fact)
  return age < lostAge ? warning(`${fact}: ${remedy}`) : failed(`${fact}: a lost disk would lose all changes since; ${remedy}`)
}
