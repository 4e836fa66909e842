import type { Config } from '../../config.ts'
import { findingsOf, type Finding } from './finding.ts'
import type { Query } from './query.ts'

/** Settings of PostgreSQL that a check needs, as `current_setting` returns them to the login of DATABASE_URL. */
export interface Settings {
  fsync: string
  full_page_writes: string
  synchronous_commit: string
  /** Whether commits wait for a standby. */
  has_standby: boolean
  autovacuum: string
  track_counts: string
}

const ofSettings = findingsOf('settings')
const ofConnections = findingsOf('connections')

const change = (setting: string) => `run \`alter system set ${setting}\` and \`select pg_reload_conf()\` as a superuser`

/** Checks the settings of PostgreSQL that the guarantees depend on, and whether it has enough connections for the servers. */
export async function examineSettings (query: Query, config: Pick<Config, 'WORKERS' | 'DATABASE_POOL'>): Promise<Finding[]> {
  const names = ['fsync', 'full_page_writes', 'synchronous_commit', 'autovacuum', 'track_counts']
  const [settings] = await query<Settings>(`
    select ${names.map(name => `current_setting('${name}') as ${name}`).join(', ')},
      current_setting('synchronous_standby_names') <> '' as has_standby`)
  const [limits] = await query(connectionLimits)
  return [...judgeSettings(settings), judgeConnections(limits?.['usable'], config)]
}

/** @returns a finding per problem, or that there is none */
export function judgeSettings (settings: Settings): Finding[] {
  const findings: Finding[] = []
  for (const name of ['fsync', 'full_page_writes'] as const) {
    if (settings[name] !== 'off') continue
    findings.push(ofSettings.failed(`${name} is off: a crash of the machine can corrupt the database; ${change(`${name} = on`)}`))
  }
  const { synchronous_commit: commit, has_standby: hasStandby, autovacuum, track_counts: counts } = settings
  if (commit === 'off') {
    const remedy = `${change('synchronous_commit = on')}, or \`alter role … reset synchronous_commit\` for the login of the servers`
    findings.push(ofSettings.failed(`synchronous_commit is off: a crash can lose acknowledged writes; ${remedy}`))
  }
  if (commit === 'local' && hasStandby) {
    const fact = 'synchronous_commit is local: a failover can lose acknowledged writes'
    findings.push(ofSettings.warning(`${fact}; ${change('synchronous_commit = on')}`))
  }
  if (autovacuum === 'off' || counts === 'off') {
    const name = autovacuum === 'off' ? 'autovacuum' : 'track_counts'
    findings.push(ofSettings.warning(`${name} is off: tables grow, and their statistics become old; ${change(`${name} = on`)}`))
  }
  return findings.length > 0 ? findings : [ofSettings.ok('a commit is on disk before it is acknowledged, and autovacuum runs')]
}

/** SQL of the connections that the login can have: the least of the limits of the cluster, the database and the login. */
const connectionLimits = `
  select least(
    current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
      - coalesce(current_setting('reserved_connections', true), '0')::int,
    nullif((select datconnlimit from pg_database where datname = current_database()), -1),
    nullif((select rolconnlimit from pg_roles where rolname = session_user and not rolsuper), -1)) as usable`

/** @param usable connections that the login can have */
export function judgeConnections (usable: number, config: Pick<Config, 'WORKERS' | 'DATABASE_POOL'>): Finding {
  const { WORKERS: workers, DATABASE_POOL: pool } = config
  const needed = workers * pool
  const fact = `WORKERS × DATABASE_POOL is ${workers} × ${pool} = ${needed} connections, and the login can have ${usable}`
  const remedy = 'raise `max_connections` of PostgreSQL and restart it, or set a smaller DATABASE_POOL'
  if (needed > usable) return ofConnections.failed(`${fact}: requests would fail; ${remedy}`)
  // A restart starts the new process before the old one has ended, and commands need connections too.
  if (needed + pool > usable) {
    return ofConnections.warning(`${fact}: too few are left for a restart of one process and for commands; ${remedy}`)
  }
  return ofConnections.ok(fact)
}
